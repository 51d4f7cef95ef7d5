import MarkdownIt from 'markdown-it';
import { type CodeBlocks, fencedBlocks } from './code-blocks.ts';
import type { Component } from './component.ts';

const markdown = new MarkdownIt();

/** Draws a note for reading, block by block; returns what ends it. */
export function showForReading(
  el: HTMLElement,
  { text, sourcePath, blocks, owner }: ReadingOptions,
): () => void {
  el.replaceChildren();
  const ends: (() => void)[] = [];
  const lines = text.split('\n');
  let at = 0;
  const prose = (to: number) => {
    const section = document.createElement('div');
    section.innerHTML = markdown.render(lines.slice(at, to).join('\n'));
    el.append(section);
  };
  for (const block of fencedBlocks(text)) {
    if (!blocks.has(block.language)) continue;
    prose(block.lineStart);
    const section = document.createElement('div');
    el.append(section);
    const { lineStart, lineEnd } = block;
    const place = () => ({ text, lineStart, lineEnd });
    ends.push(blocks.show(block, section, { sourcePath, owner, place }));
    at = lineEnd + 1;
  }
  prose(lines.length);
  return () => {
    for (const end of ends.splice(0)) end();
    el.replaceChildren();
  };
}

interface ReadingOptions {
  readonly text: string;
  readonly sourcePath: string;
  readonly blocks: CodeBlocks;
  readonly owner: Component;
}
