import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { type RenderOptions, renderSection } from './render-note.ts';
import { embedOf, fencesOf, type Section, sectionsOf } from './sections.ts';

/**
 * Shows fenced blocks, callouts and embeds at the margin as they are rendered, unless the cursor stands in
 * them; what stands in lists and in other quotes stays text.
 */
export function livePreview(options: () => RenderOptions): Extension {
  const build = (state: EditorState): DecorationSet => {
    const { doc, selection } = state;
    const { blocks } = options();
    const ranges = sectionsOf(doc.toString()).flatMap((section): Range<Decoration>[] => {
      const isShown =
        section.kind === 'embed'
          ? embedOf(section) !== undefined
          : section.kind !== 'other' &&
            fencesOf(section).some(({ language }) => blocks.has(language));
      if (!isShown || section.lineEnd >= doc.lines) return [];
      const from = doc.line(section.lineStart + 1).from;
      const to = doc.line(section.lineEnd + 1).to;
      if (selection.ranges.some((range) => range.from <= to && range.to >= from)) return [];
      const widget = new SectionWidget(section, doc.sliceString(from, to), options);
      return [Decoration.replace({ widget, block: true }).range(from, to)];
    });
    return Decoration.set(ranges);
  };
  return StateField.define<DecorationSet>({
    create: build,
    update: (shown, transaction) =>
      transaction.docChanged || transaction.selection || transaction.reconfigured
        ? build(transaction.state)
        : shown,
    provide: (field) => EditorView.decorations.from(field),
  });
}

class SectionWidget extends WidgetType {
  readonly #section: Section;
  readonly #source: string;
  readonly #options: () => RenderOptions;

  constructor(section: Section, source: string, options: () => RenderOptions) {
    super();
    this.#section = section;
    this.#source = source;
    this.#options = options;
  }

  override eq(other: SectionWidget): boolean {
    return other.#source === this.#source && !this.#options().blocks.redrawsBlocks;
  }

  override toDOM(view: EditorView): HTMLElement {
    const el = document.createElement('div');
    const height = this.#section.lineEnd - this.#section.lineStart;
    const place = () => {
      // Before it is part of the page, the editor cannot tell where it is.
      if (!el.isConnected) return null;
      const { doc } = view.state;
      const lineStart = doc.lineAt(view.posAtDOM(el)).number - 1;
      return { text: doc.toString(), lineStart, lineEnd: lineStart + height };
    };
    ended.set(el, renderSection(el, this.#section, place, this.#options()));
    return el;
  }

  override destroy(el: HTMLElement): void {
    ended.get(el)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const ended = new WeakMap<HTMLElement, () => void>();
