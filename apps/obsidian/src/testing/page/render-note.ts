import type { CodeBlocks, SectionInfo } from './code-blocks.ts';
import type { Component } from './component.ts';
import { embedOf, htmlOf, type Section, sectionsOf } from './sections.ts';

/** What a note is rendered with. */
export interface RenderOptions {
  readonly sourcePath: string;
  readonly blocks: CodeBlocks;
  readonly owner: Component;
  /** Shows another note, or a part of it, in an element; returns what ends it. */
  readonly embed: (el: HTMLElement, path: string, heading: string | undefined) => () => void;
}

/** A note for reading. When its text changes, parts of it that still read the same stay, as in Obsidian. */
export class RenderedNote {
  readonly #el: HTMLElement;
  #parts: readonly RenderedPart[] = [];

  constructor(el: HTMLElement) {
    this.#el = el;
  }

  draw(text: string, options: RenderOptions): void {
    if (options.blocks.redrawsBlocks) this.end();
    const sections = sectionsOf(text).map((section) => ({
      section,
      look: lookOf(section, options.blocks),
    }));
    const old = this.#parts;
    const most = Math.min(old.length, sections.length);
    let before = 0;
    while (before < most && old[before]?.look === sections[before]?.look) before += 1;
    let after = 0;
    while (after < most - before && old.at(-1 - after)?.look === sections.at(-1 - after)?.look) {
      after += 1;
    }
    for (const part of old.slice(before, old.length - after)) part.end();
    const next = after === 0 ? undefined : old.at(-after);
    const drawn = sections.slice(before, sections.length - after).map(({ look }) => {
      const el = document.createElement('div');
      this.#el.insertBefore(el, next?.el ?? null);
      return new RenderedPart(el, look);
    });
    this.#parts = [...old.slice(0, before), ...drawn, ...old.slice(old.length - after)];
    this.#parts.forEach((part, at) => {
      const { section } = sections[at] ?? {};
      if (section !== undefined) part.show(section, text, options);
    });
  }

  end(): void {
    for (const part of this.#parts) part.end();
    this.#parts = [];
  }
}

class RenderedPart {
  readonly el: HTMLElement;
  readonly look: string;
  #place: SectionInfo | null = null;
  #end: (() => void) | undefined;

  constructor(el: HTMLElement, look: string) {
    this.el = el;
    this.look = look;
  }

  /** Draws it once; later only its place is another. */
  show(section: Section, text: string, options: RenderOptions): void {
    const { lineStart, lineEnd } = section;
    this.#place = { text, lineStart, lineEnd };
    this.#end ??= renderSection(this.el, section, () => this.#place, options);
  }

  end(): void {
    this.#end?.();
    this.el.remove();
  }
}

/** What a part reads like: of the first line of a fenced block, only the language. */
function lookOf(section: Section, blocks: CodeBlocks): string {
  const { html, blocks: shown } = htmlOf(section.tokens, ({ language }) => blocks.has(language));
  return JSON.stringify([html, ...shown.map(({ language, body }) => [language, body])]);
}

/** Draws one block of a note; where it stands is that of the whole, also for what stands in it. */
export function renderSection(
  el: HTMLElement,
  section: Section,
  place: () => SectionInfo | null,
  { sourcePath, blocks, owner, embed }: RenderOptions,
): () => void {
  const shown = section.kind === 'embed' ? embedOf(section) : undefined;
  if (shown !== undefined) return embed(el, shown.path, shown.heading);
  const { html, blocks: found } = htmlOf(section.tokens, ({ language }) => blocks.has(language));
  el.innerHTML = html;
  if (section.kind === 'callout') el.className = 'callout';
  const places = el.querySelectorAll<HTMLElement>('[data-block]');
  const ends = found.map((block, index) => {
    const at = places[index];
    return at === undefined ? () => {} : blocks.show(block, at, { sourcePath, owner, place });
  });
  ends.push(blocks.finish(el, { sourcePath, owner, place }));
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
