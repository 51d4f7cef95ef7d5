import type { Component } from './component.ts';
import { Events } from './events.ts';

export interface Leaf {
  readonly view: Component;
}

/** The panes that are open. */
export class Workspace extends Events {
  readonly leaves: Leaf[] = [];
  activeLeaf: Leaf | undefined;

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
