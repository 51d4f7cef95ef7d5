import type {
  DraftMistake,
  MailBoard,
  MailRuleName,
  MailroomState,
  MailState,
  Redaction,
} from '@errand/mailroom';

/** The state of a mail or a draft, in a word or two. */
export const mailStateLabels: Readonly<Record<MailState, string>> = {
  new: 'new',
  'needs-info': 'needs you',
  delegated: 'for somebody else',
  answered: 'has a reply',
  failed: 'no decision',
  waiting: 'waits for approval',
  expired: 'waited too long',
  changed: 'changed after approval',
  approved: 'leaves next',
  retrying: 'tried again later',
  stuck: 'cannot be sent',
  unclear: 'maybe sent',
  sent: 'sent',
  archived: 'archived',
  rejected: 'rejected',
  done: 'done',
  unreadable: 'cannot be read',
  misplaced: 'in the wrong folder',
};

/** Why mail is fetched and sent, or not. */
export const mailroomStateLabels: Readonly<Record<MailroomState, string>> = {
  off: 'No mail server is set up.',
  'first-start': 'Nobody has said yet which mails to take.',
  elsewhere: 'Another machine fetches and sends mail for this vault.',
  shared: 'Workers fetch mail, and send what is approved.',
  paused: 'Paused: nothing is fetched, decided or sent.',
  'login-lost':
    'The login to the mailbox has ended: nothing is fetched or sent until you log in again.',
  unreachable: 'The mailbox cannot be reached. It is tried again.',
  unwritable: 'The vault cannot be written. Nothing is lost, and it goes on once it can.',
  running: 'Mail is fetched, and approved drafts are sent.',
};

/** Which rule in code had a say in a decision. */
export const mailRuleLabels: Readonly<Record<MailRuleName, string>> = {
  money: 'It is about money, so it is never archived.',
  confidence: 'The model was not sure enough.',
  settings: 'A rule of the settings decided; no model was asked.',
  loop: 'A robot wrote it, or too many mails came from this sender: no reply is drafted.',
  bounce: 'It says that a mail of yours could not be delivered.',
  'no-sender': 'There is nobody to reply to.',
};

/** What was taken out of a mail before it was stored: `a password, 2 codes`. */
export function describeRedactions(redactions: readonly Redaction[]): string {
  return redactions
    .map(({ kind, count }) =>
      count === 1 ? `a ${redactionNames[kind]}` : `${count} ${redactionNames[kind]}s`,
    )
    .join(', ');
}

const redactionNames: Readonly<Record<Redaction['kind'], string>> = {
  password: 'password',
  code: 'code',
  card: 'card number',
  key: 'key',
  link: 'login link',
  account: 'bank account number',
};

/** What to mend before a draft can be sent. */
export function describeDraftMistake({ field, code, text }: DraftMistake): string {
  if (code === 'missing') return field === 'body' ? 'It has no text.' : `"${field}" is missing.`;
  if (field === 'frontmatter')
    return `The lines between --- at the top of the note cannot be read${text === undefined ? '' : `: ${text}`}.`;
  const what = field === 'subject' ? 'subject' : 'address';
  return text === undefined
    ? `"${field}" is no valid ${what}.`
    : `"${field}" is no valid ${what}: ${text.slice(0, 200)}`;
}

/** How many mails a person decides about at the first start. What was not counted is not called a number. */
export function describeUnread({
  unread,
  hasMoreUnread = false,
}: Pick<MailBoard, 'unread' | 'hasMoreUnread'>): string {
  if (unread === undefined) return 'Nothing has been fetched yet.';
  const count = unread.toLocaleString('en-US');
  if (hasMoreUnread)
    return `There are more than ${count} unread mails. Nothing has been fetched yet.`;
  const mails = unread === 1 ? 'is 1 unread mail' : `are ${count} unread mails`;
  return `There ${mails}. Nothing has been fetched yet.`;
}
