import { Component } from './component.ts';
import type { Leaf } from './workspace.ts';

/** A view of a plugin's own, in a leaf. */
export abstract class ItemView extends Component {
  readonly containerEl = document.createElement('div');
  readonly contentEl = document.createElement('div');
  readonly leaf: Leaf;
  readonly app: object;
  icon = '';

  constructor(leaf: Leaf) {
    super();
    this.leaf = leaf;
    this.app = leaf.app;
    this.contentEl.className = 'view-content';
    this.containerEl.className = 'workspace-leaf-content';
    this.containerEl.append(this.contentEl);
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;
  protected async onOpen(): Promise<void> {}
  protected async onClose(): Promise<void> {}
  onResize(): void {}

  getIcon(): string {
    return this.icon;
  }

  async show(parent: HTMLElement): Promise<void> {
    this.containerEl.dataset.type = this.getViewType();
    parent.append(this.containerEl);
    this.load();
    await this.onOpen();
  }

  async close(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.remove();
  }
}
