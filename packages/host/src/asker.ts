import type { Elicitor } from './elicitor.ts';
import type { Sampler } from './sampler.ts';

/** Who made a call, as far as its server may ask them something in the course of it. */
export interface Asker {
  /** The same for all calls of one client, so that it can be told whether a question is for them. */
  readonly owner: string;
  /** What it does not bring, the host answers as it does for its own calls. */
  readonly elicitor?: Elicitor;
  readonly sampler?: Sampler;
}

/**
 * Whom a question is for that comes while these calls run. Over most wires a server does not say which of its
 * calls it asks for: when they are of several clients, none of them must see what may be another's.
 */
export function soleAsker(running: Iterable<Asker | undefined>): Asker | undefined {
  let found: Asker | undefined;
  let isFirst = true;
  for (const asker of running) {
    if (!isFirst && asker?.owner !== found?.owner) return undefined;
    found = asker;
    isFirst = false;
  }
  return found;
}
