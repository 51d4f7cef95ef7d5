import type { Component } from './component.ts';
import { Events } from './events.ts';
import { strict } from './strict.ts';
import type { TFile } from './vault.ts';

export interface Leaf {
  view: Component;
  isDeferred: boolean;
}

/** The panes that are open. */
export class Workspace extends Events {
  readonly leaves: Leaf[] = [];
  activeLeaf: Leaf | undefined;
  /** What was opened by a link; here it is only written down. */
  readonly openedFiles: string[] = [];

  getLeaf(_kind?: 'tab' | boolean): object {
    return strict('WorkspaceLeaf', {
      openFile: async ({ path }: TFile) => {
        this.openedFiles.push(path);
      },
    });
  }

  getLeavesOfType(type: string): readonly Leaf[] {
    return type === 'markdown' ? this.leaves : [];
  }

  getActiveViewOfType<View extends Component>(
    type: abstract new (...args: never[]) => View,
  ): View | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }
}
