import { type Extension, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { type NoteContext, type NoteScan, rescan, scan } from '@errand/document';
import {
  mayBeBound,
  mostProperties,
  type SectionBadge,
  sectionBadges,
} from '@errand/workspace/sections';
import { editorInfoField } from 'obsidian';
import { drawBadge } from './draw-badge.ts';

/** Dependencies of the badges in an editor. */
export interface BadgePorts {
  context(path: string): NoteContext;
  /** Whether this is the text of the whole note. */
  isWholeNote(path: string, text: string): boolean;
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
  #note: NoteScan | undefined;
  #badges: readonly SectionBadge[] = [];

  constructor(view: EditorView, ports: BadgePorts) {
    this.#ports = ports;
    this.#read(view, undefined);
    this.#draw(view);
    this.#unsubscribe = ports.onChange(() => view.dispatch({ effects: serversChanged.of(null) }));
  }

  update({ view, docChanged, viewportChanged, changes, state, transactions }: ViewUpdate): void {
    const hasEffect = transactions.some(({ effects }) =>
      effects.some((each) => each.is(serversChanged)),
    );
    const note = this.#note;
    if (docChanged) this.#read(view, note && rescan(note, wholeEdit(changes, state.doc)));
    else if (hasEffect) this.#read(view, note);
    if (docChanged || hasEffect || viewportChanged) this.#draw(view);
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #read({ state }: EditorView, known: NoteScan | undefined): void {
    const path = state.field(editorInfoField, false)?.file?.path ?? '';
    const context = this.#ports.context(path);
    const isBound = mayBeBound(state.doc.sliceString(0, mostProperties), context);
    this.#note = isBound ? (known ?? scan(state.doc.toString())) : undefined;
    const badges = this.#note === undefined ? [] : sectionBadges(this.#note, context);
    const isShown = badges.length > 0 && this.#ports.isWholeNote(path, state.doc.toString());
    this.#badges = isShown ? badges : [];
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

/** All changes of an update as one edit of the old text. */
function wholeEdit(changes: ViewUpdate['changes'], doc: EditorView['state']['doc']) {
  let [from, to, newFrom, newTo] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    from = Math.min(from, fromA);
    to = Math.max(to, toA);
    newFrom = Math.min(newFrom, fromB);
    newTo = Math.max(newTo, toB);
  });
  return { range: [from, to] as const, text: doc.sliceString(newFrom, newTo) };
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
