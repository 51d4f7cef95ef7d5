import type { MailSettings, Notifier } from '@errand/host';
import type { AskModel } from './decide-mail.ts';
import type { MailEvent } from './mail-board.ts';
import type { MailLog } from './mail-log.ts';
import type { MailNotes } from './mail-notes.ts';
import type { Mailbox } from './mailbox.ts';
import type { StateStore } from './orchestrator-state.ts';
import type { SenderCounts } from './sender-counts.ts';

/** Dependencies of the mailroom. */
export interface MailroomPorts {
  /** The settings as they are now; null without a mailbox. */
  readonly settings: () => MailSettings | null;
  /** Whether this program works for the mailbox together with others. */
  readonly isWorker: boolean;
  readonly notes: MailNotes;
  readonly mailbox: Mailbox;
  readonly log: MailLog;
  readonly state: StateStore;
  readonly senders: SenderCounts;
  readonly ask: AskModel;
  readonly clock: MailClock;
  /** This machine: an id that nobody else can know, and its name. */
  readonly machine: { readonly id: string; readonly name: string };
  readonly notifier: Notifier;
  /** Tells every program on the vault. */
  readonly emit: (event: MailEvent) => void;
  /** Runs a hook of the settings' rules. */
  readonly runHook?: (hook: string, fields: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** How long to wait after so many failures in a row, in milliseconds. */
  readonly backoff: (failures: number, waitMs?: number) => number;
  /** Pauses before a silent model is asked again, in milliseconds. */
  readonly modelRetries: readonly number[];
}

/** The time of day, a clock that is never set, and timers. */
export interface MailClock {
  now(): number;
  monotonic(): number;
  after(milliseconds: number, onDue: () => void): Disposable;
}
