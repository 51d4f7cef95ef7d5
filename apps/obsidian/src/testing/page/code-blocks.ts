import type { Component, MarkdownRenderChild } from './component.ts';

export interface SectionInfo {
  readonly text: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** A fenced block of a note; lines are counted from 0. */
export interface FencedBlock {
  readonly language: string;
  readonly body: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** What the processor of a block learns about it. */
export interface BlockContext {
  readonly docId: string;
  readonly sourcePath: string;
  readonly frontmatter: null;
  addChild(child: MarkdownRenderChild): void;
  getSectionInfo(el: HTMLElement): SectionInfo | null;
}

type Processor = (source: string, el: HTMLElement, context: BlockContext) => unknown;

/** The processors that plugins registered, by language. */
export class CodeBlocks {
  readonly #processors = new Map<string, Processor>();
  /** The nasty variant: Obsidian may not know where a block stands. */
  knowsPlaces = true;

  has(language: string): boolean {
    return this.#processors.has(language);
  }

  register(language: string, processor: Processor): () => void {
    if (this.has(language)) {
      throw new Error(`Code block postprocessor for language ${language} is already registered`);
    }
    this.#processors.set(language, processor);
    return () => this.#processors.delete(language);
  }

  /** Lets a processor fill an element; returns what ends it when the element goes. */
  show(
    { language, body }: FencedBlock,
    el: HTMLElement,
    { sourcePath, owner, place }: ShowOptions,
  ): () => void {
    const children: MarkdownRenderChild[] = [];
    el.className = `block-language-${language}`;
    this.#processors.get(language)?.(body, el, {
      docId: sourcePath,
      sourcePath,
      frontmatter: null,
      addChild: (child: MarkdownRenderChild) => children.push(owner.addChild(child)),
      getSectionInfo: () => (this.knowsPlaces ? place() : null),
    });
    return () => {
      for (const child of children.splice(0)) owner.removeChild(child);
    };
  }
}

interface ShowOptions {
  readonly sourcePath: string;
  readonly owner: Component;
  readonly place: () => SectionInfo | null;
}

/** The fenced blocks of a note that begin at the margin. */
export function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  const lines = text.split('\n');
  for (let start = 0; start < lines.length; start += 1) {
    const [, fence, language] = /^(`{3,}|~{3,})\s*([^\s`]*)/.exec(lines[start] ?? '') ?? [];
    if (fence === undefined || language === undefined) continue;
    const isEnd = (line: string) =>
      line.startsWith(fence) && line.trim() === line[0]?.repeat(line.trim().length);
    const length = lines.slice(start + 1).findIndex(isEnd);
    const end = length === -1 ? lines.length : start + 1 + length;
    const body = lines.slice(start + 1, end).join('\n');
    blocks.push({ language, body, lineStart: start, lineEnd: end });
    start = end;
  }
  return blocks;
}
