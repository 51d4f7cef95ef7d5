import { setTimeout as sleep } from 'node:timers/promises';
import { HostError, type MailSettings, type Notifier, type ServerConfig } from '@errand/host';
import type { SharedJobEngine } from '@errand/jobs';
import type { SharedStart } from '@errand/mailroom';
import type { OpenMail } from '@errand/services/mail';
import type { CheckedPoint } from './checked-points.ts';
import type { OpenVault } from './open-vault.ts';

export interface SharedMailPorts {
  readonly vault: OpenVault;
  readonly notifier: Notifier;
  readonly runHook?: (hook: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The mailboxes of a folder's settings, for a worker: several share each, and their notes are in vaults elsewhere. */
export interface SharedMail extends AsyncDisposable {
  /** The mailboxes that this worker works for. */
  readonly addresses: readonly string[];
  /** The mail servers that have not said yet whose mailbox they have. */
  readonly waiting: readonly string[];
  /** Begins to work for each mailbox whose server answers, and tries the others again until they do. */
  start(jobs: SharedJobEngine): Promise<void>;
}

/** Opens the mailboxes of the settings. */
export async function openSharedMail(ports: SharedMailPorts): Promise<SharedMail> {
  const wrong = checkMailSettings(ports.vault).find(({ isFine }) => !isFine);
  if (wrong !== undefined) throw new HostError('settings_invalid', wrong.detail);
  const mailboxes = await Promise.all(
    mailboxesOf(ports.vault).map(({ server }) => openMailbox(server, ports)),
  );
  const addresses = new Map<string, string>();
  const begin = async ({ server, room, onStart }: Mailbox, jobs: SharedJobEngine) => {
    const address = (await room.address(ports.signal))?.toLowerCase();
    if (address === undefined)
      throw refused(
        `The server "${server}" does not say whose mailbox it has. Log in to it again.`,
      );
    const other = [...addresses].find(([name, known]) => known === address && name !== server);
    if (other !== undefined)
      throw refused(`The servers "${other[0]}" and "${server}" have the same mailbox, ${address}.`);
    const { sharedMailbox } = await import('@errand/mailroom');
    addresses.set(server, address);
    try {
      await sharedMailbox(room, address, onStart).start(jobs);
    } catch (error) {
      addresses.delete(server);
      throw error;
    }
  };
  return {
    get addresses() {
      // In the order of the settings, whoever answers first.
      return mailboxes.flatMap(({ server }) => addresses.get(server) ?? []);
    },
    get waiting() {
      return mailboxes.map(({ server }) => server).filter((server) => !addresses.has(server));
    },
    async start(jobs) {
      const trying = mailboxes.map(async (mailbox) => {
        try {
          await begin(mailbox, jobs);
        } catch (error) {
          if (ports.signal.aborted) return;
          ports.notifier.notify({
            level: 'warning',
            message: `The mailbox of the server "${mailbox.server}" waits. It is tried again.`,
            detail: error instanceof Error ? error.message : String(error),
          });
          void untilBegun(() => begin(mailbox, jobs), ports.signal);
        }
      });
      await Promise.all(trying);
    },
    async [Symbol.asyncDispose]() {
      for (const { room } of mailboxes) await room[Symbol.asyncDispose]();
    },
  };
}

interface Mailbox extends Pick<OpenMail, 'room'> {
  readonly server: string;
  readonly onStart: (start: SharedStart) => void;
}

async function openMailbox(server: string, ports: SharedMailPorts): Promise<Mailbox> {
  const { vault, notifier, runHook } = ports;
  const { openMail } = await import('@errand/services/mail');
  const shared = Promise.withResolvers<SharedStart>();
  const { room } = await openMail({
    ...vault,
    callLog: vault.log,
    stateFolder: vault.folders.state,
    mayUse: vault.trust.mayUse,
    notifier,
    mailSettings: () => mailboxesOf(vault).find((mail) => mail.server === server) ?? null,
    shared: shared.promise,
    emit: () => undefined,
    ...(runHook && { runHook }),
  });
  return { server, room, onStart: shared.resolve };
}

/** The mailbox of the vault, and those that are shared beside it. */
function mailboxesOf({ host }: Pick<OpenVault, 'host'>): readonly MailSettings[] {
  const { mail, sharedMailboxes } = host.servers.settings;
  return [...(mail === null ? [] : [mail]), ...sharedMailboxes];
}

/** What is needed to share mailboxes, and is or is not in the settings. */
export function checkMailSettings(vault: Pick<OpenVault, 'host'>): readonly CheckedPoint[] {
  const mailboxes = mailboxesOf(vault);
  if (mailboxes.length === 0) {
    const detail =
      'The queue "mail" needs a mailbox. Write "mail": { "server": "gmail", "vault": "vault" } into the settings of this folder.';
    return [{ point: 'mail', isFine: false, detail }];
  }
  const names = mailboxes.map(({ server }) => server);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    const detail = `Two mailboxes of the settings name the server "${twice}".`;
    return [{ point: 'mail', isFine: false, detail }];
  }
  return mailboxes.flatMap((mail) => checkMailbox(mail, vault));
}

function checkMailbox(
  mail: MailSettings,
  { host }: Pick<OpenVault, 'host'>,
): readonly CheckedPoint[] {
  const missing = [mail.server, mail.vault].find((name) => host.servers.find(name) === undefined);
  if (missing !== undefined) {
    const detail = `There is no server "${missing}" in the settings of this folder, which a mailbox names.`;
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

/** Never rejects; ends with the worker. */
async function untilBegun(begin: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(retryMs, undefined, { signal });
      return await begin();
    } catch {
      // Told when it failed first.
    }
  }
}

const retryMs = 5_000;

function refused(message: string): HostError {
  return new HostError('settings_invalid', message);
}
