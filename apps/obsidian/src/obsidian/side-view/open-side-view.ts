import type { App } from 'obsidian';
import { ErrandView, viewType } from './errand-view.ts';

/** Brings the side view to the front, wherever a person has put it; with its history when asked for. */
export async function openSideView(app: App, part?: 'history'): Promise<void> {
  const { workspace } = app;
  const [known] = workspace.getLeavesOfType(viewType);
  const leaf = known ?? workspace.getRightLeaf(false);
  if (leaf === null) return;
  if (known === undefined) await leaf.setViewState({ type: viewType, active: true });
  await workspace.revealLeaf(leaf);
  if (part === 'history' && leaf.view instanceof ErrandView) leaf.view.showHistory();
}
