import type { ActionContext } from '../hook-run.ts';

/** The chain as programs get it in their environment, so that what they cause can be told to belong to it. */
export function chainVariable({ chain }: Pick<ActionContext, 'chain'>) {
  return { ERRAND_HOOK_CHAIN: JSON.stringify(chain) };
}
