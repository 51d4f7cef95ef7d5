import type { OpenPlugin } from '../open-plugin.ts';
import { ErrandView, viewType } from './errand-view.ts';

/** Lets Obsidian show servers and calls beside the notes. */
export function addSideView(open: OpenPlugin): void {
  open.plugin.registerView(viewType, (leaf) => new ErrandView(leaf, open));
}
