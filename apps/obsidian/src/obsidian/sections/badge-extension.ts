import { type Extension, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { NoteContext, NoteScan } from '@errand/document';
import {
  mayBeBound,
  mostProperties,
  type SectionBadge,
  sectionBadges,
} from '@errand/workspace/sections';
import { editorInfoField } from 'obsidian';
import { textOf } from '../open-notes.ts';
import { drawBadge } from './draw-badge.ts';

/** Dependencies of the badges in an editor. */
export interface BadgePorts {
  context(path: string): NoteContext;
  /** The scan of a note with this text, shared with all who show something of it. */
  scan(path: string, text: string): NoteScan;
  /** Whether this is an editor of the whole note, and not of a piece of it. */
  isNoteEditor(path: string, view: EditorView): boolean;
  /** Calls back when the servers changed. */
  onChange(listener: () => void): () => void;
}

/** Shows behind headings, block ids and ranges which server they are bound to; only what is on the screen is drawn. */
export function badgeExtension(ports: BadgePorts): Extension {
  return ViewPlugin.define((view) => new EditorBadges(view, ports), {
    decorations: ({ decorations }) => decorations,
  });
}

const serversChanged = StateEffect.define<null>();

class EditorBadges {
  decorations: DecorationSet = Decoration.none;
  readonly #ports: BadgePorts;
  readonly #unsubscribe: () => void;
  #badges: readonly SectionBadge[] = [];

  constructor(view: EditorView, ports: BadgePorts) {
    this.#ports = ports;
    this.#read(view);
    this.#draw(view);
    this.#unsubscribe = ports.onChange(() => view.dispatch({ effects: serversChanged.of(null) }));
  }

  update({ view, docChanged, viewportChanged, transactions }: ViewUpdate): void {
    const hasEffect = transactions.some(({ effects }) =>
      effects.some((each) => each.is(serversChanged)),
    );
    if (docChanged || hasEffect) this.#read(view);
    if (docChanged || hasEffect || viewportChanged) this.#draw(view);
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #read(view: EditorView): void {
    const { doc } = view.state;
    const path = view.state.field(editorInfoField, false)?.file?.path ?? '';
    const context = this.#ports.context(path);
    const isBound = mayBeBound(doc.sliceString(0, mostProperties), context);
    const isShown = isBound && this.#ports.isNoteEditor(path, view);
    this.#badges = isShown ? sectionBadges(this.#ports.scan(path, textOf(doc)), context) : [];
  }

  #draw({ state: { doc }, visibleRanges }: EditorView): void {
    const shown = this.#badges.flatMap((badge) => {
      if (badge.line > doc.lines) return [];
      const { to } = doc.line(badge.line);
      if (!visibleRanges.some((range) => range.from <= to && to <= range.to)) return [];
      return [Decoration.widget({ widget: new BadgeWidget(badge), side: 1 }).range(to)];
    });
    this.decorations = Decoration.set(shown, true);
  }
}

class BadgeWidget extends WidgetType {
  readonly #badge: SectionBadge;

  constructor(badge: SectionBadge) {
    super();
    this.#badge = badge;
  }

  override eq(other: BadgeWidget): boolean {
    const { text, isBroken } = other.#badge;
    return text === this.#badge.text && isBroken === this.#badge.isBroken;
  }

  override toDOM(): HTMLElement {
    return drawBadge(this.#badge);
  }
}
