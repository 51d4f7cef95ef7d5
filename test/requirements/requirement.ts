/** A promise of Errand, and the tests that show it. It is done when its tests show all of it. */
export interface Requirement {
  readonly promise: string;
  readonly status: 'open' | 'done';
  /** `path: name of the test`, with the name as it stands in the file. */
  readonly tests: readonly string[];
}

export function open(promise: string, ...tests: string[]): Requirement {
  return { promise, status: 'open', tests };
}

export function done(promise: string, ...tests: string[]): Requirement {
  return { promise, status: 'done', tests };
}
