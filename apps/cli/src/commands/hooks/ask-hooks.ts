import type { HooksMethods } from '@errand/hooks';
import { HostError } from '@errand/host';
import { explainRefusal } from '@errand/services/refusal';
import type { JsonObject } from '@errand/wire';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { openLocalHooks } from '../../open-local-hooks.ts';
import { describeUnheard, visitVault } from '../../visit-vault.ts';

/** What came back, and whether a program owns the vault, so that hooks run. */
export interface HooksAnswer<Method extends keyof HooksMethods> {
  readonly value: HooksMethods[Method]['result'];
  readonly isOwned: boolean;
}

/** What can be answered without a program that runs hooks. */
const reading: ReadonlySet<keyof HooksMethods> = new Set([
  'list',
  'runs',
  'show-run',
  'test',
  'why',
  'set-enabled',
  'reload',
]);

/** Milliseconds that the owner has; a run that is waited for takes as long as it takes. */
const patience = { wait: 2 ** 31 - 1, test: 60_000 } as const;

/** Asks the owner of the vault about its hooks; where there is none, what needs no running hooks is answered here. */
export async function askHooks<Method extends keyof HooksMethods>(
  method: Method,
  params: HooksMethods[Method]['params'],
  options: CommonOptions,
  context: CommandContext,
): Promise<HooksAnswer<Method>> {
  const request = { service: 'hooks', method, params: params as JsonObject };
  const wanted = { request, patience: patience[method as keyof typeof patience] ?? 10_000 };
  const { visit } = await visitVault(options, context, wanted);
  if (visit.status === 'silent' || visit.status === 'other-version') {
    throw new HostError('owner_lost', describeUnheard(visit));
  }
  if (visit.status === 'answered') {
    return { value: visit.value as HooksMethods[Method]['result'], isOwned: true };
  }
  if (!reading.has(method)) {
    const message =
      'No program owns this vault, so nothing runs its hooks. Start one, and try again: errand up';
    throw new HostError('settings_invalid', message);
  }
  await using hooks = await openLocalHooks(options, context);
  const value = await explainRefusal(hooks.service.answer(method, params, context.signal));
  return { value: value as HooksMethods[Method]['result'], isOwned: false };
}
