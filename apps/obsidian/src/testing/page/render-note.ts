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

/** Draws a note for reading; returns what ends it. */
export function renderNote(el: HTMLElement, text: string, options: RenderOptions): () => void {
  el.replaceChildren();
  const ends = sectionsOf(text).map((section) => {
    const { lineStart, lineEnd } = section;
    const own = el.appendChild(document.createElement('div'));
    return renderSection(own, section, () => ({ text, lineStart, lineEnd }), options);
  });
  return () => {
    for (const end of ends.splice(0)) end();
    el.replaceChildren();
  };
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
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
