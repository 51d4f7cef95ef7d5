import { type NoteContext, scan } from '@errand/document';
import { mayBeBound, type SectionBadge, sectionBadges } from '@errand/workspace/sections';
import { MarkdownRenderChild, type MarkdownSectionInformation } from 'obsidian';
import { drawBadge } from './draw-badge.ts';

/** What the badges of a rendered note ask of the plugin. */
export interface ReadingBadgePorts {
  context(path: string): NoteContext;
  /** Calls back when the note or the servers changed. */
  onChange(path: string, listener: () => void): () => void;
}

/** Finds the badges of rendered notes; the many parts of a note ask about the same text, and it is read once. */
export class NoteBadges {
  readonly #ports: ReadingBadgePorts;
  #read: ReadBadges | undefined;

  constructor(ports: ReadingBadgePorts) {
    this.#ports = ports;
  }

  of(path: string, text: string): readonly SectionBadge[] {
    const context = this.#ports.context(path);
    const { servers } = context;
    const known = this.#read;
    if (known?.text === text && known.path === path && known.servers === servers) {
      return known.badges;
    }
    const badges = mayBeBound(text, context) ? sectionBadges(scan(text), context) : [];
    this.#read = { path, text, servers, badges };
    return badges;
  }
}

interface ReadBadges {
  readonly path: string;
  readonly text: string;
  readonly servers: NoteContext['servers'];
  readonly badges: readonly SectionBadge[];
}

/** The badges of one rendered part of a note: behind its heading, or above it. */
export class PartBadges extends MarkdownRenderChild {
  readonly #path: string;
  readonly #ports: ReadingBadgePorts;
  readonly #badges: NoteBadges;
  readonly #place: () => MarkdownSectionInformation | null;
  #shown: readonly HTMLElement[] = [];

  constructor(
    el: HTMLElement,
    path: string,
    ports: ReadingBadgePorts,
    badges: NoteBadges,
    place: () => MarkdownSectionInformation | null,
  ) {
    super(el);
    this.#path = path;
    this.#ports = ports;
    this.#badges = badges;
    this.#place = place;
  }

  override onload(): void {
    this.register(this.#ports.onChange(this.#path, () => this.#show()));
    this.register(() => this.#clear());
    this.#show();
  }

  #show(): void {
    const place = this.#place();
    // Without a place nothing is known that could be better than what is shown.
    if (place === null) return;
    const { text, lineStart, lineEnd } = place;
    const badges = this.#badges
      .of(this.#path, text)
      .filter(({ line }) => line > lineStart && line <= lineEnd + 1);
    if (badges.length === 0 && this.#shown.length === 0) return;
    this.#clear();
    const { containerEl } = this;
    const heading = containerEl.querySelector(':scope > :is(h1, h2, h3, h4, h5, h6)');
    this.#shown = badges.map((badge) => drawBadge(badge));
    if (heading === null) containerEl.prepend(...this.#shown);
    else heading.append(...this.#shown);
  }

  #clear(): void {
    for (const el of this.#shown) el.remove();
  }
}
