import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FrontmatterValues, withFrontmatter } from '@errand/document/frontmatter';
import { openContainedRoot } from '@errand/files';
import type { MailSettings, Notice } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import { mailFolders } from '../mail-board.ts';
import { MailNotes } from '../mail-notes.ts';
import type { Mailbox } from '../mailbox.ts';
import type { MailroomPorts } from '../mailroom-ports.ts';
import type { MCPClient } from '../mcp-client.ts';
import { NoteFolder } from '../note-folder.ts';
import type { SendFlowPorts } from '../send-flow.ts';
import { senderCounts } from '../sender-counts.ts';

/** What the mailroom depends on: notes are files until the end, and everything else is written down. */
export function openPorts(
  onEnd: (remove: () => void) => void,
  answers: Partial<Mailbox> = {},
  { Files = NoteFolder }: { readonly Files?: typeof NoteFolder } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'errand-mailroom-ports-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of mailFolders) mkdirSync(join(folder, name));
  const clock = new ManualClock(Date.UTC(2026, 1, 3, 12));
  /** Calls of the vault server and of the mail server, in order. */
  const calls: string[] = [];
  const logged: Readonly<Record<string, unknown>>[] = [];
  const notices: Notice[] = [];
  const told: string[] = [];
  const called = (name: string) => async () => void calls.push(name);
  const mailbox = {
    send: async () => {
      calls.push('send');
      return { messageId: 's1', threadId: 't1', sentAt: '2026-02-03T12:00:00.000Z' };
    },
    status: async () => ({ kind: 'not-sent' }),
    label: called('label'),
    archive: called('archive'),
    ...answers,
  } as Mailbox;
  const vault = {
    // Without a vault server everything goes the way of the fallback.
    callTool: (name: string, _: object, __: object, fallback: () => Promise<object>) => {
      calls.push(name);
      return fallback();
    },
  } as unknown as MCPClient;
  const notes = new MailNotes({
    source: new Files(openContainedRoot(folder)),
    vault,
    monotonic: () => performance.now(),
    freshMs: 10_000,
  });
  const settings = { label: 'SEEN', expireHours: 48, rules: [] } as unknown as MailSettings;
  const ports: SendFlowPorts & MailroomPorts = {
    settings: () => settings,
    isWorker: false,
    notes,
    mailbox,
    log: {
      write: async (_, entry) => void logged.push(entry),
      read: async () => logged,
    },
    state: { read: async () => undefined, write: async () => undefined },
    senders: senderCounts(() => clock.now()),
    ask: () => Promise.reject(new Error('no model')),
    clock,
    machine: { id: 'machine-1', name: 'desk' },
    notifier: { notify: (notice) => void notices.push(notice) },
    emit: ({ kind }) => void told.push(kind),
    onFault: () => undefined,
    backoff: () => 1,
    modelRetries: [],
    mayNotSend: async () => undefined,
    onTrouble: () => undefined,
    tell: async (event, path) => void told.push(`${event} ${path}`),
  };
  return {
    folder,
    ports,
    notes,
    clock,
    calls,
    logged,
    notices,
    told,
    write: (path: string, values: FrontmatterValues, body = 'Text\n') =>
      writeFileSync(join(folder, path), withFrontmatter('', values, body)),
    move: (from: string, to: string) => renameSync(join(folder, from), join(folder, to)),
    remove: (path: string) => rmSync(join(folder, path), { force: true }),
    /** Every note, by its path. */
    paths: () =>
      mailFolders.flatMap((name) =>
        readdirSync(join(folder, name)).map((file) => `${name}/${file}`),
      ),
    values: async (path: string) => (await notes.read(path))?.values,
  };
}
