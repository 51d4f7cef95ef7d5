import { textFence } from '@errand/document';
import type { FrontmatterValues } from '@errand/document/frontmatter';
import { addressIn } from './draft-note.ts';
import type { ReceivedMail, Redaction } from './mail-board.ts';
import { isMailAboutMoney } from './money-words.ts';
import { type MailNote, textOf } from './note-head.ts';
import { redactSecrets } from './redact-secrets.ts';

/** A mail as the mail server gives it. */
export interface RawMail {
  readonly id: string;
  readonly threadId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly body: string;
  readonly attachments: readonly string[];
  /** Whether its text goes on. */
  readonly isCut: boolean;
  /** Headers that tell who wrote it and where an answer goes, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A mail after the privacy gate: what may be stored. */
export interface GatedMail extends Omit<RawMail, 'isCut' | 'headers'> {
  /** Whether its headers say that no person wrote it. */
  readonly isAutomatic: boolean;
  /** Where an answer goes instead of the sender. */
  readonly replyTo?: string;
  /** Who could not be reached, of a report about a failed delivery. */
  readonly failedRecipient?: string;
  /** Whether nobody is told when it cannot be delivered itself, as reports are sent. */
  readonly hasNoReturnPath?: boolean;
  /** Message-IDs of mails that it is about, by its headers; the nearest first. */
  readonly isAbout?: readonly string[];
  readonly redactions: readonly Redaction[];
  /** Whether it is about money, by all of its text. Missing in what was stored before this was. */
  readonly isAboutMoney?: boolean;
}

const longestSubject = 200;
const longestName = 300;
const longestSender = 150;

/** Takes secrets out of everything that strangers wrote, before anything is stored. */
export function gateMail({ isCut, headers, ...mail }: RawMail): GatedMail {
  const counts = new Map<Redaction['kind'], number>();
  const gate = (text: string) => {
    const { text: left, redactions } = redactSecrets(text);
    for (const { kind, count } of redactions) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return left;
  };
  // A code in the subject is one because of a word in the text or the sender's name, and the other way round.
  const sender = splitSender(mail.from);
  const gated = gate(`${sender.name}\n${oneLine(mail.subject)}\n${mail.body}`);
  // By lines: a mark between them could stand in the text as well, or be taken for a secret.
  const [name = '', subject = '', ...lines] = gated.split('\n');
  const body = lines.join('\n');
  const stored = {
    from: `${cutText(name, longestSender).trim()} ${sender.address}`.trim(),
    to: gateNames(mail.to, gate).slice(0, longestName),
    subject: cutText(subject, longestSubject),
    body: isCut ? `${body}\n[The rest of this mail was not fetched.]` : body,
    attachments: mail.attachments.slice(0, 50).map((name) => cutText(gate(oneLine(name)), 100)),
  };
  const redactions = [...counts].map(([kind, count]) => ({ kind, count }));
  const replyTo = headers['reply-to'];
  return {
    ...mail,
    ...stored,
    redactions,
    ...factsIn(headers, mail.from),
    // By what came, of which a part is not stored. Nobody knows what the missing end of a cut text is about.
    isAboutMoney: isCut || isMailAboutMoney({ ...mail, replyTo, redactions }),
  };
}

/** What headers say of a mail. */
function factsIn(
  headers: RawMail['headers'],
  from: string,
): Pick<GatedMail, 'isAutomatic' | 'replyTo' | 'failedRecipient' | 'hasNoReturnPath' | 'isAbout'> {
  const submitted = headers['auto-submitted'] ?? 'no';
  const isBulk = /\b(?:bulk|junk|auto_reply)\b/i.test(headers.precedence ?? '');
  const replyTo = addressIn(headers['reply-to'] ?? '');
  const failedRecipient = addressIn(headers['x-failed-recipients'] ?? '');
  const isAbout = [
    ...messageIdsIn(headers['in-reply-to'] ?? ''),
    ...messageIdsIn(headers.references ?? '').toReversed(),
  ].slice(0, 5);
  // An answer goes to another address only within the sender's own domain: elsewhere it may be a trap.
  const isNear = replyTo !== undefined && domainOf(replyTo) === domainOf(addressIn(from) ?? '');
  return {
    isAutomatic: !/^\s*no\b/i.test(submitted) || isBulk,
    ...(isNear && { replyTo }),
    ...(failedRecipient !== undefined && { failedRecipient }),
    ...(headers['return-path']?.trim() === '<>' && { hasNoReturnPath: true }),
    ...(isAbout.length > 0 && { isAbout }),
  };
}

/** The Message-IDs in a text, without their brackets; odd ones, which no mailbox of ours gives, are left out. */
export function messageIdsIn(text: string): readonly string[] {
  return [...text.matchAll(/<([\w.+=$%-]{1,200}@[\w.-]{1,200})>/g)].map(([, id = '']) => id);
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1);
}

/** The address of a sender, which stays as it is, and what stands before it. */
function splitSender(from: string): { readonly name: string; readonly address: string } {
  const line = oneLine(from);
  const start = Math.max(0, line.lastIndexOf('<'));
  const address = line.slice(start);
  const isAddress = address.length <= longestName && addressIn(line) !== undefined;
  return isAddress ? { name: line.slice(0, start), address } : { name: line, address: '' };
}

/** Recipients: the addresses stay, everything around them is a stranger's text. */
function gateNames(list: string, gate: (text: string) => string): string {
  return oneLine(list).replace(/[^<>]+/g, (part) => {
    const isAddresses = part.split(',').every((each) => each.trim() === '' || addressIn(each));
    return isAddresses ? part : gate(part);
  });
}

/** Strangers' text on one line, without characters that act. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function cutText(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}

/** The frontmatter of a mail that has come. */
export function mailValues(mail: GatedMail, now: number): FrontmatterValues {
  const { redactions } = mail;
  return {
    type: 'email',
    status: 'pending',
    source: 'gmail',
    message_id: mail.id,
    thread_id: mail.threadId,
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    date_received: mail.date,
    fetched_at: new Date(now).toISOString(),
    classification: 'unclassified',
    priority: 'normal',
    ...(mail.isAutomatic && { automatic: true }),
    ...(mail.isAboutMoney && { about_money: true }),
    ...(mail.replyTo !== undefined && { reply_to: mail.replyTo }),
    has_attachments: mail.attachments.length > 0,
    ...(mail.attachments.length > 0 && { attachment_names: [...mail.attachments] }),
    ...(redactions.length > 0 && {
      redactions: Object.fromEntries(redactions.map(({ kind, count }) => [kind, count])),
    }),
  };
}

/**
 * The body of the note: the mail's text in a fence, where nothing of it is Markdown, HTML, a template or a block of
 * ours. What a person writes below is theirs.
 */
export function mailBody({ body }: GatedMail): string {
  const text = body
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trimEnd();
  return `${textFence(text)}\n`;
}

/** A mail as its note has it. */
export function readMailNote(note: MailNote): ReceivedMail & { readonly notes?: string } {
  const [, fence = '', text, rest] =
    /^\s*(`{3,}|~{3,})text\n([\s\S]*?)\n\1[ \t]*(?:\n([\s\S]*))?$/.exec(note.body) ?? [];
  const { attachment_names: names, redactions } = note.values;
  const notes = (fence === '' ? '' : (rest ?? '')).trim();
  return {
    from: textOf(note, 'from') ?? '',
    to: textOf(note, 'to') ?? '',
    subject: textOf(note, 'subject') ?? '',
    date: textOf(note, 'date_received') ?? '',
    body: text ?? note.body.trim(),
    attachments: Array.isArray(names) ? names.map(String) : [],
    redactions:
      typeof redactions === 'object' && redactions !== null
        ? Object.entries(redactions).map(([kind, count]) => ({
            kind: kind as Redaction['kind'],
            count: Number(count),
          }))
        : [],
    ...(notes !== '' && { notes }),
  };
}
