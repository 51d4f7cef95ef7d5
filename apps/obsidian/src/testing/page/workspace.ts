import type { Component } from './component.ts';
import { Events } from './events.ts';

export interface Leaf {
  readonly view: Component;
}

/** The panes that are open. */
export class Workspace extends Events {
  readonly leaves: Leaf[] = [];

  getLeavesOfType(type: string): Leaf[] {
    return type === 'markdown' ? [...this.leaves] : [];
  }
}
