import type { FrontmatterValues } from '@errand/document/frontmatter';
import { mailDecisions } from './mail-board.ts';

/** What is kept of finished notes, of which there are many. */
const keptKeys: ReadonlySet<string> = new Set([
  'type',
  'message_id',
  'thread_id',
  'draft_id',
  'reply_to_message_id',
  'original_message_id',
  'source_message_id',
  'status',
  'decision',
  'sent_message_id',
  'delivery',
  'from',
  'to',
  'subject',
  'priority',
  'date_received',
  'drafted_at',
]);

/** A finished mail is known by its id; whoever wants to see more of it reads its note. */
const keptOfMail: ReadonlySet<string> = new Set(['type', 'message_id', 'status', 'decision']);

/** Of the values of a note in Done those that are kept. */
export function shortened(values: FrontmatterValues): FrontmatterValues {
  const keys = values.type === 'email' ? keptOfMail : keptKeys;
  const kept = Object.entries(values).filter(([key]) => keys.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, ownCopy(value)]));
}

/**
 * The values that may be kept from the first bytes of a note, line by line, which takes a fraction of the time and of the memory of reading
 * YAML. Undefined for whatever is not as plain as what the mailroom writes: then YAML has to be read.
 */
export function finishedValues(bytes: Buffer): FrontmatterValues | undefined {
  const end = bytes.indexOf('\n---\n');
  if (end === -1 || bytes.indexOf('---\n') !== 0) return undefined;
  const values: Record<string, string> = {};
  let isKept = false;
  for (const line of bytes.toString('utf8', 4, end).split('\n')) {
    const [, key = '', written = ''] = /^(\w+):(?: +(.*?))? *$/.exec(line) ?? [];
    if (key === '') {
      // The rest of a value that is not needed, unless it is no YAML at all.
      if (isKept || !/^(?:[ -]|$)/.test(line)) return undefined;
      continue;
    }
    isKept = (values.type === 'email' ? keptOfMail : keptKeys).has(key);
    if (!isKept) continue;
    const value = plainText(written);
    if (value === undefined || Object.hasOwn(values, key)) return undefined;
    values[key] = value;
  }
  // What is not finished is looked at closely.
  return values.status === 'done' ? values : undefined;
}

/** A text as YAML writes it without any need for care; numbers stay the letters that they are. */
function plainText(written: string): string | undefined {
  const [, quoted] = /^"([^"\\]*)"$/.exec(written) ?? [];
  if (quoted !== undefined) return quoted;
  return plain.test(written) && !/^(?:true|false|null)$/i.test(written) ? written : undefined;
}

const plain = /^\w(?:[\w.@<>+()/-]|:(?=[\w/])| (?=[\w<(]))*$/;

/** A part of a text keeps the whole text in memory; a copy does not. Words that most notes have are kept once. */
function ownCopy(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return commonWords.get(value) ?? Buffer.from(value).toString();
}

const commonWords: ReadonlyMap<string, string> = new Map(
  ['email', 'draft_reply', 'done', 'rejected', ...mailDecisions].map((word) => [word, word]),
);
