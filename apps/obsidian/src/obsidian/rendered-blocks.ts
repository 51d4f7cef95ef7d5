import type { MarkdownRenderChild } from 'obsidian';

/** The blocks that we show; when the plugin goes, each is plain text again, as Obsidian shows a block that nobody knows. */
export class RenderedBlocks implements Disposable {
  readonly #bodies = new Map<MarkdownRenderChild, string>();

  add(child: MarkdownRenderChild, body: string): void {
    this.#bodies.set(child, body);
    child.register(() => this.#bodies.delete(child));
  }

  [Symbol.dispose](): void {
    for (const [child, body] of [...this.#bodies]) {
      // They belong to the view, which stays.
      child.unload();
      child.containerEl.empty();
      child.containerEl.createEl('pre').createEl('code', { text: body });
    }
  }
}
