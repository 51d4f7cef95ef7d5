import type { Component } from './component.ts';
import { Events } from './events.ts';
import { ItemView } from './item-view.ts';
import type { SideBar } from './side-bar.ts';
import type { TFile } from './vault.ts';

export interface Leaf {
  view?: Component;
  readonly app: object;
  isDeferred?: boolean;
  setViewState?(state: { readonly type: string; readonly active?: boolean }): Promise<void>;
  openFile?(file: TFile, state?: OpenState): Promise<void>;
}

/** Where in a note it shall be opened. */
export interface OpenState {
  readonly active?: boolean;
  readonly eState?: { readonly line?: number };
}

/** The panes that are open. */
export class Workspace extends Events {
  readonly leaves: Leaf[] = [];
  activeLeaf: Leaf | undefined;
  /** What was opened; of files that are no notes, this is all that can be seen here. */
  readonly openedFiles: string[] = [];
  sideBar: SideBar | undefined;
  app: object = {};
  #isReady = false;
  #isHeld = false;
  readonly #whenReady: (() => void)[] = [];
  /** Opens a note in the pane that is there, or in a new one. */
  openNote: (file: TFile, state: OpenState) => Promise<void> = () => Promise.reject(noPane());

  get holdsLayout(): boolean {
    return this.#isHeld;
  }

  /** At once when the panes are there already. */
  onLayoutReady(callback: () => void): void {
    if (this.#isReady) callback();
    else this.#whenReady.push(callback);
  }

  /** Keeps the panes of the last time away until `restoreLayout`. */
  holdLayout(): void {
    this.#isReady = false;
    this.#isHeld = true;
  }

  /** The panes of the last time are there again. */
  restoreLayout(): void {
    this.#isReady = true;
    this.#isHeld = false;
    for (const callback of this.#whenReady.splice(0)) callback();
  }

  /** Lets every editor take in anew what shows its text. */
  updateOptions(): void {
    this.trigger('options');
  }

  getLeavesOfType(type: string): Leaf[] {
    return this.leaves.filter(({ view }) =>
      view instanceof ItemView ? view.getViewType() === type : type === 'markdown',
    );
  }

  getActiveViewOfType<View extends Component>(
    type: abstract new (...args: never[]) => View,
  ): View | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  /** Of the view that is active, or else was the last with a file. */
  getActiveFile(): TFile | null {
    const views = [this.activeLeaf, ...this.leaves.toReversed()].map((leaf) => leaf?.view);
    const found = views.find((view) => view !== undefined && 'file' in view);
    return (found as { readonly file?: TFile } | undefined)?.file ?? null;
  }

  getRightLeaf(): Leaf | null {
    return this.sideBar?.leaf(this.app) ?? null;
  }

  getLeaf(): Leaf {
    const openFile = async (file: TFile, state: OpenState = {}) => {
      this.openedFiles.push(file.path);
      if (file.extension === 'md') await this.openNote(file, state);
    };
    return { app: this.app, openFile };
  }

  async revealLeaf(leaf: Leaf): Promise<void> {
    if (leaf.view instanceof ItemView) this.sideBar?.reveal(true);
    this.activeLeaf = leaf;
  }

  closeLeaf(leaf: Leaf): void {
    const at = this.leaves.indexOf(leaf);
    if (at === -1) return;
    this.leaves.splice(at, 1);
    if (leaf.view instanceof ItemView) void leaf.view.close();
    else leaf.view?.unload();
    if (this.activeLeaf === leaf) this.activeLeaf = this.leaves.at(-1);
    this.trigger('layout-change');
  }
}

function noPane(): Error {
  return new Error('HARNESS: there is no pane to open a note in.');
}
