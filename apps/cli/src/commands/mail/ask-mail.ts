import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HostError } from '@errand/host';
import type { MailMethods } from '@errand/mailroom';
import { explainRefusal } from '@errand/services/refusal';
import type { JsonObject } from '@errand/wire';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { pathInVault } from '../../note-path.ts';
import { openVault, vaultFolder } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { describeUnheard, visitVault } from '../../visit-vault.ts';

/** What came back, whether a program owns the vault, and whether that program or workers fetch and send mail. */
export interface MailAnswer<Method extends keyof MailMethods> {
  readonly value: MailMethods[Method]['result'];
  readonly isOwned: boolean;
  readonly isServed: boolean;
}

/** Milliseconds that the owner has; a round asks a model about every mail. */
const patience = { run: 2 ** 31 - 1, begin: 60_000, approve: 30_000, edit: 30_000 } as const;

/** Asks the owner of the vault about its mail; where there is none, notes are read and moved from here. */
export async function askMail<Method extends Exclude<keyof MailMethods, 'run'>>(
  method: Method,
  given: MailMethods[Method]['params'],
  options: CommonOptions,
  context: CommandContext,
): Promise<MailAnswer<Method>> {
  const params = await withVaultPath(given, options, context);
  const value = await askOwner(method, params, options, context);
  if (value !== undefined) return { value, isOwned: true, isServed: true };
  const { notifier } = personAt(context.terminal);
  await using vault = await openVault(options, context, { notifier });
  const { openMail } = await import('@errand/services/mail');
  const { log: callLog, trust, folders } = vault;
  const { mayUse } = trust;
  const own = { stateFolder: folders.state, callLog, mayUse, notifier, emit: () => undefined };
  const { service } = await openMail({ ...vault, ...own });
  const answered = await explainRefusal(service.answer(method, params, context.signal));
  const isServed = vault.host.servers.settings.mail?.workers === true;
  return { value: answered as MailMethods[Method]['result'], isOwned: false, isServed };
}

/** Asks the owner; answers with nothing when there is none. */
export async function askOwner<Method extends keyof MailMethods>(
  method: Method,
  params: MailMethods[Method]['params'],
  options: CommonOptions,
  context: CommandContext,
): Promise<MailMethods[Method]['result'] | undefined> {
  const request = { service: 'mail', method, params: params as JsonObject };
  const wanted = { request, patience: patience[method as keyof typeof patience] ?? 10_000 };
  const { visit } = await visitVault(options, context, wanted);
  if (visit.status === 'silent' || visit.status === 'other-version') {
    throw new HostError('owner_lost', describeUnheard(visit));
  }
  return visit.status === 'answered' ? (visit.value as MailMethods[Method]['result']) : undefined;
}

/** A note that is named as a shell completes it, by its path in the vault. */
async function withVaultPath<Params extends object>(
  params: Params,
  options: CommonOptions,
  { terminal: { cwd } }: CommandContext,
): Promise<Params> {
  const id = 'id' in params && typeof params.id === 'string' ? params.id : '';
  if (!/\.md$/i.test(id) || !existsSync(resolve(cwd, id))) return params;
  return { ...params, id: pathInVault(id, cwd, await vaultFolder(options, cwd, cwd)) };
}
