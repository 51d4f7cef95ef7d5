import type { Done } from '../../contract.ts';

/** The answer when there is nothing to tell. */
export const done: Done = { isDone: true };
