import { z } from 'zod';
import type { Advice } from '../advice.ts';

// Every message says what to write. None repeats what was written: it may be a secret.

export const write = (advice: string) => ({ error: `Write ${advice}.` });

/** Advice of a rule besides its message; `reportIssues` passes it on. */
export const advising = (...advice: readonly Advice[]) => ({ advice });

// Not `min(1)`: that also looks at the `length` of what is no text, which may be an object that cannot be compared.
export const text = (advice: string) => z.string(write(advice)).regex(/./s, write(advice));

export const booleanSchema = z.boolean(write('true or false, without quotes'));

/** Milliseconds that a call may take. */
export const timeoutSchema = z
  .int(write('whole milliseconds from 1000 to 300000, for example 30000'))
  .min(1000, write('at least 1000, which is one second'))
  .max(300_000, write('at most 300000, which is five minutes'));

/** `at-start`: as soon as the program itself is ready. `on-use`: when a call needs the server. */
export const connectSchema = z.enum(['at-start', 'on-use'], write('"at-start" or "on-use"'));
