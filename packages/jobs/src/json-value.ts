import type { Json } from './job-engine.ts';
import { JobsError } from './jobs-error.ts';

const longest = 4 * 1024 * 1024;

/** A value as it will be read again, which is what the flow gets the first time too. */
export function jsonValue(value: unknown, what: string): Json {
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null);
  } catch (error) {
    throw new JobsError('not_json', `${what} cannot be stored as JSON.`, { cause: error });
  }
  if (text === undefined) throw new JobsError('not_json', `${what} cannot be stored as JSON.`);
  if (text.length <= longest) return JSON.parse(text) as Json;
  const message = `${what} has ${text.length} characters; at most ${longest} are stored.`;
  throw new JobsError('too_large', message);
}
