import { hookState as stateOf } from '@errand/workspace/hooks';
import type { HookView } from '../../contract.ts';

/** The state of a hook; what keeps it from running comes first. */
export function hookState(view: HookView) {
  return stateOf(view, faultText);
}

/** What is wrong with a hook, and what to do where the page has no button for it. */
export function faultText({ code, message }: HookView['faults'][number]): string {
  if (code !== 'never_told') return message;
  return `${message} Let one, in the folder of the vault: errand hooks bridge install claude`;
}
