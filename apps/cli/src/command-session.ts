import { chainSession, readChain } from '@errand/hooks/bridge';
import type { Terminal } from './terminal.ts';

/** A new session for the calls of a command; started by a hook, they belong to its chain, so that loops end. */
export function commandSession({ env }: Pick<Terminal, 'env'>): string {
  const chain = readChain(env);
  const id = crypto.randomUUID();
  return chain === undefined ? id : chainSession(chain, id);
}
