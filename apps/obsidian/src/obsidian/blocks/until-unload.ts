import { type MarkdownPostProcessorContext, MarkdownRenderChild, type Plugin } from 'obsidian';

type Processor = (source: string, el: HTMLElement, context: MarkdownPostProcessorContext) => void;

/**
 * Shows blocks until the plugin is disabled. Obsidian keeps what is on the screen then, so each block
 * becomes the plain code again that it is without us.
 */
export function untilUnload(plugin: Plugin, show: Processor): Processor {
  const shown = new Map<MarkdownRenderChild, string>();
  plugin.register(() => {
    for (const [block, source] of shown) {
      block.unload();
      block.containerEl.empty();
      block.containerEl.createEl('pre').createEl('code', { text: source });
    }
  });
  return (source, el, context) => {
    const block = new MarkdownRenderChild(el);
    shown.set(block, source);
    block.register(() => shown.delete(block));
    context.addChild(block);
    show(source, el, {
      docId: context.docId,
      sourcePath: context.sourcePath,
      frontmatter: context.frontmatter as unknown,
      getSectionInfo: (within) => context.getSectionInfo(within),
      addChild: (child) => block.addChild(child),
    });
  };
}
