import type { Advice } from './advice.ts';

/** Tells a person something without making them wait. */
export interface Notifier {
  notify(notice: Notice): void;
}

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Why. */
  readonly detail?: string;
  /** What to do next; the face that shows the notice says how. */
  readonly advice?: readonly Advice[];
  readonly server?: string;
}
