/** Tells a person something without making them wait. */
export interface Notifier {
  notify(notice: Notice): void;
}

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Why, and what to do next. */
  readonly detail?: string;
  readonly server?: string;
}
