import { isRecord } from '@errand/wire';
import type { Chain } from './hook-event.ts';

/** What an action may cause without a sign of its chain. */
export interface ActionReach {
  /** Whether it can change a file of the vault; without it, any. */
  mayWrite?(path: string): boolean;
  /** True unless said otherwise. */
  readonly mayChangeRepository?: boolean;
  /** Whether it causes nothing more after its end. */
  readonly leavesNothing?: boolean;
}

/** The chain as programs get it in their environment, so that what they cause can be told to belong to it. */
export function chainVariable({ chain }: { readonly chain: Chain }) {
  return { ERRAND_HOOK_CHAIN: JSON.stringify(chain) };
}

/** The chain that a program was started in; undefined when no hook started it. */
export function readChain({ ERRAND_HOOK_CHAIN }: NodeJS.ProcessEnv): Chain | undefined {
  try {
    const value: unknown = JSON.parse(ERRAND_HOOK_CHAIN ?? '');
    return isChain(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value that came from outside is a chain. */
export function isChain(value: unknown): value is Chain {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    idPattern.test(value.id) &&
    typeof value.depth === 'number' &&
    Array.isArray(value.hooks) &&
    value.hooks.every((hook) => typeof hook === 'string')
  );
}

const idPattern = /^[\w-]{1,64}$/;

/** The session of calls in a chain; several sessions of one chain have different suffixes. */
export function chainSession({ id }: Pick<Chain, 'id'>, suffix = ''): string {
  return suffix === '' ? `hook:${id}` : `hook:${id}:${suffix}`;
}

/** The id of the chain that a session belongs to. */
export function chainIdOf(sessionId: string): string | undefined {
  return /^hook:([\w-]{1,64})(?::|$)/.exec(sessionId)?.[1];
}
