import type { Elicitor } from './elicitor.ts';
import type { Sampler } from './sampler.ts';

/** The client behind a call, which its server may ask questions while the call runs. */
export interface Asker {
  /** Identifies the client; the same for all of its calls. */
  readonly owner: string;
  /** Where one is missing, the host answers as for its own calls. */
  readonly elicitor?: Elicitor;
  readonly sampler?: Sampler;
}

/**
 * The client that a server's question belongs to while these calls run. On most transports a server does not name
 * the call; when several clients have calls running, the question goes to none of them.
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
