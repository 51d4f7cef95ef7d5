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

type PostProcessor = (el: HTMLElement, context: BlockContext) => unknown;
type Processor = (source: string, el: HTMLElement, context: BlockContext) => unknown;

/** The processors that plugins registered, by language. */
export class CodeBlocks {
  readonly #processors = new Map<string, Processor>();
  readonly #after = new Set<PostProcessor>();
  /** Whether Obsidian knows the positions of blocks, which it may not. */
  knowsPositions = true;
  /** Whether every block is redrawn whenever the note changes, as Obsidian may do. */
  redrawsBlocks = false;

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

  /** Adds what looks at every part of a note after it was rendered. */
  registerAfter(processor: PostProcessor): () => void {
    this.#after.add(processor);
    return () => this.#after.delete(processor);
  }

  /** Lets all that come after look at a rendered part; returns what ends what they added. */
  finish(el: HTMLElement, options: ShowOptions): () => void {
    const { context, end } = this.#context(options);
    for (const processor of this.#after) processor(el, context);
    return end;
  }

  /** Lets a processor fill an element; returns what ends it when the element goes. */
  show({ language, body }: FencedBlock, el: HTMLElement, options: ShowOptions): () => void {
    const { context, end } = this.#context(options);
    el.className = `block-language-${language}`;
    this.#processors.get(language)?.(body, el, context);
    return end;
  }

  #context({ sourcePath, owner, place }: ShowOptions): {
    readonly context: BlockContext;
    readonly end: () => void;
  } {
    const children: MarkdownRenderChild[] = [];
    const context = {
      docId: sourcePath,
      sourcePath,
      frontmatter: null,
      addChild: (child: MarkdownRenderChild) => children.push(owner.addChild(child)),
      getSectionInfo: () => (this.knowsPositions ? place() : null),
    };
    const end = () => {
      for (const child of children.splice(0)) owner.removeChild(child);
    };
    return { context, end };
  }
}

interface ShowOptions {
  readonly sourcePath: string;
  readonly owner: Component;
  readonly place: () => SectionInfo | null;
}
