import { openContainedRoot } from '@errand/files';
import type { MailSettings, Notifier } from '@errand/host';
import type { AskModel } from './decide-mail.ts';
import type { MailEvent } from './mail-board.ts';
import { openMailLog } from './mail-log.ts';
import { MailNotes } from './mail-notes.ts';
import { mailboxOf } from './mailbox.ts';
import { Mailroom } from './mailroom.ts';
import type { MailClock, MailroomPorts } from './mailroom-ports.ts';
import { MCPClient, type MCPClientPorts } from './mcp-client.ts';
import { NoteFolder } from './note-folder.ts';
import type { NoteSource } from './note-source.ts';
import { openStateStore } from './orchestrator-state.ts';
import { modelRetries, roundBackoff } from './retry-schedule.ts';
import { senderCounts } from './sender-counts.ts';
import { unwritableProblem } from './unwritable-problem.ts';
import { VaultNotes } from './vault-notes.ts';

export interface OpenMailroomPorts extends Pick<MailroomPorts, 'machine' | 'runHook' | 'onFault'> {
  /** The vault; where the mailbox is shared only the logs are in it. */
  readonly folder: string;
  /** For a mailbox that several programs work for: the vault is reached through its server alone. */
  readonly shared?: Pick<MailroomPorts, 'state' | 'senders'>;
  readonly host: MCPClientPorts['host'];
  readonly settings: MailroomPorts['settings'];
  readonly ask: AskModel;
  readonly clock: MailClock;
  readonly notifier: Notifier;
  readonly emit: (event: MailEvent) => void;
  readonly backoff?: MailroomPorts['backoff'];
  readonly modelRetries?: readonly number[];
  /** Milliseconds for one call of the vault server. */
  readonly vaultTimeoutMs?: number;
}

/** Puts the mailroom of a vault together. Nothing happens before it is started. */
export function openMailroom(ports: OpenMailroomPorts): Mailroom {
  const { host, clock, onFault, settings, shared, vaultTimeoutMs } = ports;
  const root = openContainedRoot(ports.folder);
  const log = openMailLog({
    root,
    now: () => clock.now(),
    // A disk that cannot be written is told by what is written besides: the state is, in every round.
    onFault: (error) => (unwritableProblem(error) === undefined ? onFault(error) : undefined),
  });
  const clientOf = (name: (mail: MailSettings) => string, callTimeoutMs?: number) =>
    new MCPClient({
      host,
      log,
      ...(callTimeoutMs !== undefined && { callTimeoutMs }),
      serverName: () => name(settings() ?? ({ server: '', vault: 'vault' } as MailSettings)),
    });
  const vault = clientOf(({ vault }) => vault, vaultTimeoutMs);
  const behindServer = new VaultNotes(vault);
  /** Whether the vault of a mailbox that workers serve is on another machine than this program. */
  const isElsewhere = () => {
    const { workers, vault: name = '' } = settings() ?? {};
    return workers === true && host.servers.find(name)?.httpConfig !== undefined;
  };
  const inFolder = new NoteFolder(root);
  const notes = new MailNotes({
    source:
      shared === undefined
        ? currentSource(() => (isElsewhere() ? behindServer : inFolder))
        : behindServer,
    vault,
    monotonic: () => clock.monotonic(),
    // Shorter than the time in which a mail goes from one program to another: its notes are known by then.
    freshMs: shared === undefined ? 10_000 : 2_000,
  });
  return new Mailroom({
    ...ports,
    isWorker: shared !== undefined,
    notes,
    mailbox: mailboxOf(clientOf(({ server }) => server)),
    log,
    state: shared?.state ?? openStateStore(root),
    senders: shared?.senders ?? senderCounts(() => clock.now()),
    backoff: ports.backoff ?? roundBackoff,
    modelRetries: ports.modelRetries ?? modelRetries,
  });
}

/** A source that may become another one with the settings. */
function currentSource(current: () => NoteSource): NoteSource {
  return {
    scan: (signal) => current().scan(signal),
    read: (path) => current().read(path),
    get fallback() {
      return current().fallback;
    },
  };
}
