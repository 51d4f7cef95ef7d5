import { join } from 'node:path';
import { askForText, openModel } from '@errand/assistant';
import type { AssistantConfig, Host, MailSettings, Notice } from '@errand/host';
import { createMemorySecretStore } from '@errand/host/testing';
import { type JobEngine, StoredJobs, sqliteStore } from '@errand/jobs';
import { type MailEvent, type Mailroom, MailService, openMailroom } from '@errand/mailroom';

/** The settings of the mailroom in tests. */
export const mailSettings: MailSettings = {
  server: 'gmail',
  vault: 'vault',
  query: 'in:inbox is:unread',
  label: 'AI_PROCESSED',
  pollSeconds: 120,
  minConfidence: 0.7,
  modelSeconds: 30,
  remindHours: 24,
  expireHours: 48,
  rules: [],
};

export interface RoomPlace {
  readonly folder: string;
  readonly home: string;
  readonly host: () => Pick<Host, 'execute' | 'servers'>;
  readonly settings: () => MailSettings;
  readonly assistant: AssistantConfig;
  readonly machine: { readonly id: string; readonly name: string };
  /** Milliseconds that its clock is ahead. */
  readonly ahead: () => number;
  /** Milliseconds for one call of the vault server, instead of the usual ones. */
  readonly vaultTimeoutMs?: number | undefined;
  readonly emit: (event: MailEvent) => void;
  readonly notify: (notice: Notice) => void;
  readonly onFault: (error: unknown) => void;
  /** Called before and after everything that acts: calls of tools, and questions to the model. It goes on afterwards. */
  readonly onEffect?: (when: 'before' | 'after', what: string) => void | Promise<void>;
}

export interface OpenRoom {
  readonly room: Mailroom;
  readonly service: MailService;
  readonly jobs: JobEngine;
}

/** Opens a mailroom as a program does, with the jobs of its vault; nothing runs by a clock. */
export function openRoomAt(place: RoomPlace): OpenRoom {
  const { host, onEffect = () => undefined } = place;
  const around = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    await onEffect('before', what);
    const result = await work();
    await onEffect('after', what);
    return result;
  };
  const room = openMailroom({
    folder: place.folder,
    host: {
      execute: (request, ...given) =>
        around(request.toolName, () => host().execute(request, ...given)),
      servers: {
        find: (name) => host().servers.find(name),
      },
    },
    settings: place.settings,
    ask: ({ instructions, messages }, signal) =>
      around('model', async () => {
        const secrets = createMemorySecretStore({ key: 'sk-secret' });
        const model = await openModel(place.assistant, {
          env: {},
          secrets,
          mayUse: () => undefined,
        });
        const limit = AbortSignal.timeout(place.settings().modelSeconds * 1000);
        const log = { append: () => undefined, keepResult: async () => '' };
        const question = { instructions, messages, conversation: 'mail' };
        const both = AbortSignal.any([signal, limit]);
        const { text, tokens } = await askForText(question, { model, log }, both);
        return { text, by: 'openai-compatible:scripted', ...(tokens && { tokens }) };
      }),
    clock: {
      now: () => Date.now() + place.ahead(),
      monotonic: () => performance.now(),
      after: (milliseconds, onDue) => {
        const timer = setTimeout(onDue, milliseconds);
        return { [Symbol.dispose]: () => clearTimeout(timer) };
      },
    },
    machine: place.machine,
    ...(place.vaultTimeoutMs !== undefined && { vaultTimeoutMs: place.vaultTimeoutMs }),
    notifier: { notify: place.notify },
    emit: place.emit,
    onFault: place.onFault,
    backoff: () => 20,
    modelRetries: [5, 10, 20],
  });
  const jobs = StoredJobs.open(sqliteStore(join(place.home, 'jobs.sqlite')), {
    flows: room.flows,
    concurrency: 500,
    now: () => Date.now() + place.ahead(),
    drainMs: 2_000,
  });
  room.start(jobs, { isTimed: false });
  return { room, service: new MailService(room), jobs };
}
