import type { Advice } from './advice.ts';

/** Shows a notice to a person without blocking. */
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
