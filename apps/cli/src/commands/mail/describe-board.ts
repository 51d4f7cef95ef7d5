import { oneLine } from '@errand/host';
import type { MailBoard, MailDetails, MailItem } from '@errand/mailroom';
import {
  describeDraftMistake,
  describeRedactions,
  describeUnread,
  explainMailItem,
  mailroomStateLabels,
  mailStateLabels,
} from '@errand/workspace/mail';
import { markLines, type Width } from '../../mark-lines.ts';
import { messageText } from '../../message-text.ts';
import { table } from '../../table.ts';

/** Mail is not fetched or sent by itself while nobody owns the vault. */
export const unowned =
  'No program owns this vault, so no mail is fetched or sent. Let one do it: errand up\n';

/** What waits, what leaves and what is wrong, as lines. */
export function describeBoard(board: MailBoard, isOwned: boolean): string {
  const { Needs_Action: mails, Drafts: drafts, Approved: approved } = board.folders;
  const isWrong = ({ state }: MailItem) => wrongStates.has(state);
  const open = [...drafts, ...mails, ...approved];
  const sections = [
    ['Waits for you', open.filter(({ state }) => waitingStates.has(state))],
    ['Will be sent', approved.filter(({ state }) => state === 'approved' || state === 'retrying')],
    ['Needs a look', open.filter(isWrong)],
    ['In work', mails.filter(({ state }) => state === 'new')],
  ] as const;
  const parts = sections.flatMap(([title, items]) =>
    items.length === 0 ? [] : [`${title}\n${table(items.map(rowOf))}`],
  );
  const state = isOwned || board.state !== 'running' ? stateText(board) : unowned;
  return [state, ...(parts.length === 0 ? ['Nothing waits for you.\n'] : parts)].join('\n');
}

const waitingStates: ReadonlySet<MailItem['state']> = new Set([
  'waiting',
  'expired',
  'changed',
  'needs-info',
  'delegated',
]);
const wrongStates: ReadonlySet<MailItem['state']> = new Set([
  'failed',
  'stuck',
  'unclear',
  'unreadable',
  'misplaced',
]);

function rowOf(item: MailItem): readonly string[] {
  const about = explainMailItem(item);
  return [
    `  ${shortId(item)}`,
    `${item.isUrgent ? '! ' : ''}${mailStateLabels[item.state]}`,
    inColumn(item.who),
    inColumn(item.subject) || item.path,
    ...(about === undefined ? [] : [oneLine(about, 100)]),
  ];
}

/** What a stranger wrote, for a column of a list: it may be long. */
export function inColumn(text: string): string {
  return oneLine(text, 60);
}

/** Enough of an id to name it; a path where there is none. */
function shortId({ id }: MailItem): string {
  return id.includes('/') ? id : id.slice(0, 12);
}

/** Why mail is fetched and sent or not, and what to do. */
export function stateText(board: MailBoard): string {
  const { state, problem, mailbox, machine } = board;
  const said = mailroomStateLabels[state];
  const about = mailbox === undefined ? '' : `${mailbox}: `;
  const next: Readonly<Record<typeof state, string>> = {
    off: ' Name one under "mail" in the settings, as docs/mail.md explains.',
    'first-start': ` ${describeUnread(board)} Take only new ones: errand mail run --take new. Or unread ones of the last days too: errand mail run --take 7d`,
    elsewhere: `${machine ? ` It is ${machine}.` : ''} To let this one do it: errand mail run --take-over`,
    shared: ' See them with: errand jobs --database URL --space NAME',
    paused: ' Go on with: errand mail resume',
    'login-lost': ' Log in with: errand mail login',
    unreachable: problem === undefined ? '' : ` ${problem}`,
    unwritable: problem === undefined ? '' : ` ${problem}`,
    running: '',
  };
  return messageText(`${about}${said}${next[state]}`);
}

/** What else an approved draft waits for; empty when it leaves by itself. */
export function waitsFor(board: MailBoard, isServed: boolean): string {
  if (board.state !== 'running') return stateText(board);
  return isServed ? '' : unowned;
}

/** A mail and its draft, one below the other, broken before the terminal does it. */
export function describeDetails({ item, mail, draft, notes }: MailDetails, output: Width): string {
  const parts: string[] = [];
  if (mail !== undefined) {
    const removed = describeRedactions(mail.redactions);
    parts.push(
      table([
        ['mail', mail.item.path],
        ['state', mailStateLabels[mail.item.state]],
        ['from', mail.from],
        ['subject', mail.subject],
        ['date', mail.date],
        ...(mail.attachments.length === 0 ? [] : [['attachments', mail.attachments.join(', ')]]),
        ...(removed === '' ? [] : [['taken out', removed]]),
      ]),
      markLines(mail.body, output),
      ...(notes === undefined ? [] : [markLines(notes, output)]),
    );
  }
  if (draft !== undefined) {
    const { leaves, mistakes, written } = draft;
    // What cannot be sent is shown as it stands in the note, with what is wrong with it.
    const { to, cc, bcc, subject, body } = leaves ?? written;
    const fields = Object.entries({ to, cc, bcc, subject });
    const { frontmatter } = written;
    parts.push(
      table([
        ['draft', draft.item.path],
        ['state', mailStateLabels[draft.item.state]],
        ...fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ...mistakes.map((mistake) => ['problem', describeDraftMistake(mistake)]),
      ]),
      ...(frontmatter === undefined ? [] : [markLines(frontmatter.trimEnd(), output)]),
      ...(body.trim() === '' ? [] : [markLines(body, output)]),
    );
  }
  const about = explainMailItem(item);
  return [...parts, ...(about === undefined ? [] : [messageText(about)])].join('\n');
}
