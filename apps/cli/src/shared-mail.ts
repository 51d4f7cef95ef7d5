import { setTimeout as sleep } from 'node:timers/promises';
import { faultNotice, HostError, type Notifier, type ServerConfig } from '@errand/host';
import type { SharedMailbox } from '@errand/mailroom';
import type { OpenMail } from '@errand/services/mail';
import type { CheckedPoint } from './checked-points.ts';
import type { OpenVault } from './open-vault.ts';

export interface SharedMailPorts {
  readonly vault: OpenVault;
  readonly notifier: Notifier;
  readonly runHook?: (hook: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The mailbox of a folder's settings, for a worker: several share it, and its notes are in a vault elsewhere. */
export interface SharedMail extends AsyncDisposable {
  readonly address: string;
  readonly mailbox: SharedMailbox;
}

/** Opens the mailbox of the settings once its server says whose it is, and says why that takes time. */
export async function openSharedMail(ports: SharedMailPorts): Promise<SharedMail> {
  const { vault, notifier, runHook, signal } = ports;
  const wrong = checkMailSettings(vault).find(({ isFine }) => !isFine);
  if (wrong !== undefined) throw new HostError('settings_invalid', wrong.detail);
  const { sharedMailbox } = await import('@errand/mailroom');
  const { openMail } = await import('@errand/services/mail');
  const since = Promise.withResolvers<number>();
  const { room } = await openMail({
    ...vault,
    callLog: vault.log,
    stateFolder: vault.folders.state,
    mayUse: vault.trust.mayUse,
    notifier,
    since: since.promise,
    emit: () => undefined,
    ...(runHook && { runHook }),
  });
  const address = await addressOf(room, notifier, signal);
  return {
    address,
    mailbox: sharedMailbox(room, address, since.resolve),
    [Symbol.asyncDispose]: () => room[Symbol.asyncDispose](),
  };
}

/** What is needed to share a mailbox, and is or is not in the settings. */
export function checkMailSettings({ host }: Pick<OpenVault, 'host'>): readonly CheckedPoint[] {
  const { mail } = host.servers.settings;
  if (mail === null) {
    const detail =
      'The queue "mail" needs a mailbox. Write "mail": { "server": "gmail", "vault": "vault" } into the settings of this folder.';
    return [{ point: 'mail', isFine: false, detail }];
  }
  const named = { mail: mail.server, vault: mail.vault };
  const missing = Object.values(named).filter((name) => host.servers.find(name) === undefined);
  if (missing.length > 0) {
    const detail = `There is no server "${missing[0]}" in the settings of this folder, which "mail" names.`;
    return [{ point: 'mail', isFine: false, detail }];
  }
  const server = host.servers.find(mail.server);
  const isShared = server !== undefined && hasSharedLedger(server);
  return [
    { point: 'mail', isFine: true, detail: `The mailbox of the server "${mail.server}".` },
    {
      point: 'ledger',
      isFine: isShared,
      detail: isShared
        ? 'What was sent is recorded where all workers see it.'
        : `The server "${mail.server}" records what it sent on this machine alone, so that another worker could send it again. Give it GMAIL_LEDGER_URL, the address of a PostgreSQL, in "env".`,
    },
  ];
}

/** A server behind a URL has one record for all; one that each worker starts needs a database. */
function hasSharedLedger({ localConfig, dockerConfig }: ServerConfig): boolean {
  const config = localConfig ?? dockerConfig;
  if (config === undefined) return true;
  // A reference is not looked into: it may be a secret.
  return /^(?:postgres(?:ql)?:|\$\{)/.test(config.env?.GMAIL_LEDGER_URL ?? '');
}

async function addressOf(
  room: OpenMail['room'],
  notifier: Notifier,
  signal: AbortSignal,
): Promise<string> {
  for (let isTold = false; ; isTold = true) {
    try {
      const address = await room.address(signal);
      if (address !== undefined) return address.toLowerCase();
      const message = 'The mail server does not say whose mailbox it is. Log in to it again.';
      throw new HostError('settings_invalid', message);
    } catch (error) {
      if (error instanceof HostError || signal.aborted) throw error;
      if (!isTold) notifier.notify(faultNotice('The mailbox cannot be reached', error));
      await sleep(retryMs, undefined, { signal });
    }
  }
}

const retryMs = 5_000;
