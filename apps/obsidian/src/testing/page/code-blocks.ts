import type { Component, MarkdownRenderChild } from './component.ts';
import type { FencedBlock } from './sections.ts';

export interface SectionInfo {
  readonly text: string;
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
  /** The nasty variant: Obsidian may draw every block anew whenever the note changes. */
  drawsAnew = false;

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
