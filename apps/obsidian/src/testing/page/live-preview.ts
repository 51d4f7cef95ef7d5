import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { type CodeBlocks, type FencedBlock, fencedBlocks } from './code-blocks.ts';
import type { Component } from './component.ts';

/** Shows fenced blocks as their processors draw them, unless the cursor stands in them. */
export function livePreview(
  blocks: CodeBlocks,
  sourcePath: () => string,
  owner: Component,
): Extension {
  const build = (state: EditorState): DecorationSet => {
    const { doc, selection } = state;
    const ranges = fencedBlocks(doc.toString()).flatMap((block): Range<Decoration>[] => {
      if (!blocks.has(block.language) || block.lineEnd >= doc.lines) return [];
      const from = doc.line(block.lineStart + 1).from;
      const to = doc.line(block.lineEnd + 1).to;
      if (selection.ranges.some((range) => range.from <= to && range.to >= from)) return [];
      const widget = new BlockWidget(block, blocks, sourcePath, owner);
      return [Decoration.replace({ widget, block: true }).range(from, to)];
    });
    return Decoration.set(ranges);
  };
  return StateField.define<DecorationSet>({
    create: build,
    update: (shown, transaction) =>
      transaction.docChanged || transaction.selection ? build(transaction.state) : shown,
    provide: (field) => EditorView.decorations.from(field),
  });
}

class BlockWidget extends WidgetType {
  readonly #block: FencedBlock;
  readonly #blocks: CodeBlocks;
  readonly #sourcePath: () => string;
  readonly #owner: Component;

  constructor(block: FencedBlock, blocks: CodeBlocks, sourcePath: () => string, owner: Component) {
    super();
    this.#block = block;
    this.#blocks = blocks;
    this.#sourcePath = sourcePath;
    this.#owner = owner;
  }

  override eq(other: BlockWidget): boolean {
    return other.#block.language === this.#block.language && other.#block.body === this.#block.body;
  }

  override toDOM(view: EditorView): HTMLElement {
    const el = document.createElement('div');
    const height = this.#block.lineEnd - this.#block.lineStart;
    const place = () => {
      // Before it is part of the page, the editor cannot tell where it is.
      if (!el.isConnected) return null;
      const { doc } = view.state;
      const lineStart = doc.lineAt(view.posAtDOM(el)).number - 1;
      return { text: doc.toString(), lineStart, lineEnd: lineStart + height };
    };
    const owner = this.#owner;
    ended.set(
      el,
      this.#blocks.show(this.#block, el, { sourcePath: this.#sourcePath(), owner, place }),
    );
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
