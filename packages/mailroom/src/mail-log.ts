import { appendLine, type ContainedRoot, readFileBelow } from '@errand/files';
import { isRecord } from '@errand/wire';
import type { MailLogEntry } from './mail-board.ts';
import { type NoteHead, textOf } from './note-head.ts';

/** The logs of the mailroom: one JSON line each, a file for each day in UTC. */
export interface MailLog {
  /** Never rejects: what cannot be logged is told elsewhere. */
  write(file: LogFile, entry: Readonly<Record<string, unknown>>): Promise<void>;
  /** The latest lines, the newest first. */
  read(query: {
    readonly limit: number;
    readonly fits?: (line: Readonly<Record<string, unknown>>) => boolean;
  }): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const logFiles = ['decisions', 'mcp_fallback', 'gmail_mcp'] as const;
type LogFile = Exclude<(typeof logFiles)[number], 'gmail_mcp'>;

const largestFile = 32 * 1024 * 1024;
/** So far back a question about a mail is answered. */
const mostDays = 60;

export interface MailLogPorts {
  readonly root: ContainedRoot;
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/** The logs in a folder of the vault. */
export function openMailLog({ root, now, onFault }: MailLogPorts): MailLog {
  let last: Promise<void> = Promise.resolve();
  const waiting = new Map<string, string[]>();
  return {
    async write(file, { severity = 'INFO', ...entry }) {
      const timestamp = new Date(now()).toISOString();
      const name = `${file}_${timestamp.slice(0, 10)}.jsonl`;
      const line = JSON.stringify({ timestamp, severity, ...entry });
      const lines = waiting.get(name);
      // Lines that come while the disk is busy are written together.
      if (lines !== undefined) lines.push(line);
      else {
        waiting.set(name, [line]);
        // One after the other: an append that fails takes back what came after it.
        last = last.then(async () => {
          const together = waiting.get(name)?.join('\n') ?? '';
          waiting.delete(name);
          await appendLine(root, ['Logs'], name, together).catch(onFault);
        });
      }
      await last;
    },
    async read({ limit, fits = () => true }) {
      const found: Readonly<Record<string, unknown>>[] = [];
      for (let day = 0; day < mostDays && found.length < limit; day += 1) {
        const date = new Date(now() - day * 86_400_000).toISOString().slice(0, 10);
        const lines = await Promise.all(
          logFiles.map((file) => readLines(root, `${file}_${date}.jsonl`)),
        );
        const ofDay = lines.flat().filter(fits);
        ofDay.sort((one, other) => String(other.timestamp).localeCompare(String(one.timestamp)));
        found.push(...ofDay);
      }
      return found.slice(0, limit);
    },
  };
}

async function readLines(root: ContainedRoot, name: string) {
  const bytes = await readFileBelow(root, ['Logs', name], { maximumSize: largestFile }).catch(
    () => undefined,
  );
  return (bytes?.toString() ?? '').split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** A line of a log as apps show it. */
export function logEntry(line: Readonly<Record<string, unknown>>): MailLogEntry {
  const text = (key: string) => {
    const value = line[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const severity = line.severity;
  const messageId = text('message_id');
  const draftId = text('draft_id') ?? draftOfKey(line);
  const subject = text('subject');
  const said = text('reasoning') ?? text('message') ?? text('error');
  return {
    timestamp: text('timestamp') ?? '',
    event: text('event') ?? '',
    severity: severity === 'WARNING' || severity === 'ERROR' ? severity : 'INFO',
    ...(messageId !== undefined && { messageId }),
    ...(draftId !== undefined && { draftId }),
    ...(subject !== undefined && { subject }),
    ...(said !== undefined && { text: said }),
  };
}

/** Ids by which the logs speak of a note. */
export function idsIn(note: Pick<NoteHead, 'values'>): readonly string[] {
  return [
    textOf(note, 'message_id'),
    textOf(note, 'draft_id'),
    textOf(note, 'sent_message_id'),
  ].filter((each) => each !== undefined);
}

/** Whether a line of a log is about one of these. */
export function concerns(line: Readonly<Record<string, unknown>>, ids: readonly string[]): boolean {
  return [line.message_id, line.draft_id, line.sent_message_id, draftOfKey(line)].some((value) =>
    ids.some((each) => each === value),
  );
}

/** The draft that the mail server was asked to send: its lines name the key. */
function draftOfKey({ idempotency_key: key }: Readonly<Record<string, unknown>>) {
  return typeof key === 'string' ? key.split('.')[0] : undefined;
}
