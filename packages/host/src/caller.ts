import type { Elicitor } from './elicitor.ts';
import type { Sampler } from './sampler.ts';

/** The client behind a call, which its server may ask questions while the call runs. */
export interface Caller {
  /** Identifies the client; the same for all of its calls. */
  readonly owner: string;
  /** Where one is missing, the host answers as for its own calls. */
  readonly elicitor?: Elicitor;
  readonly sampler?: Sampler;
}

const noCaller: Caller = {
  owner: '',
  elicitor: { elicit: async () => ({ action: 'decline' }) },
};

/**
 * The client that a server's question belongs to while these calls run. On most transports a server does not name
 * the call; when several clients have calls running, the question is declined, because it may be about
 * what another is doing.
 */
export function soleCaller(running: Iterable<Caller | undefined>): Caller | undefined {
  let found: Caller | undefined;
  let isFirst = true;
  for (const caller of running) {
    if (!isFirst && caller?.owner !== found?.owner) return noCaller;
    found = caller;
    isFirst = false;
  }
  return found;
}
