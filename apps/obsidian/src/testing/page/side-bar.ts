import { ItemView } from './item-view.ts';
import type { Leaf, Workspace } from './workspace.ts';

type Creator = (leaf: Leaf) => ItemView;

/** The right side bar, the status bar, and the views that plugins have for it. */
export class SideBar {
  readonly #workspace: Workspace;
  readonly #creators = new Map<string, Creator>();
  readonly #el = bar('mod-right-split', 'div');
  readonly #statusBar = bar('status-bar', 'footer');

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#el.hidden = true;
    workspace.sideBar = this;
  }

  register(type: string, creator: Creator): () => void {
    if (this.#creators.has(type)) throw new Error(`There is a view of type ${type}.`);
    this.#creators.set(type, creator);
    return () => {
      this.#creators.delete(type);
      for (const leaf of this.#workspace.getLeavesOfType(type)) this.#workspace.closeLeaf(leaf);
    };
  }

  leaf(app: object): Leaf {
    const leaf: Leaf = {
      app,
      setViewState: async ({ type }) => {
        const creator = this.#creators.get(type);
        if (creator === undefined) throw new Error(`No view of type ${type} is registered.`);
        const view = creator(leaf);
        if (!(view instanceof ItemView)) throw new Error('A view of a leaf is an ItemView.');
        leaf.view = view;
        this.#workspace.leaves.push(leaf);
        await view.show(this.#el);
        this.#workspace.trigger('layout-change');
      },
    };
    return leaf;
  }

  reveal(isShown: boolean): void {
    this.#el.hidden = !isShown;
    this.#workspace.trigger('layout-change');
  }

  /** An element for a plugin; gone with it. */
  addStatusBarItem(id: string): { readonly el: HTMLElement; readonly remove: () => void } {
    const el = document.createElement('div');
    el.className = `status-bar-item plugin-${id}`;
    this.#statusBar.append(el);
    return { el, remove: () => el.remove() };
  }
}

function bar(className: string, tag: string): HTMLElement {
  const el = document.createElement(tag);
  el.className = className;
  document.body.append(el);
  return el;
}
