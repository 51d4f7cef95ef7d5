import { type Notice, oneLine } from '@errand/host';
import type { MailBoard, MailDetails, MailItem, MailMethods, MailReasons } from '@errand/mailroom';
import { describeDraftMistake, mailroomStateLabels } from './describe-mail.ts';
import { describeMailReasons } from './describe-mail-reasons.ts';
import { explainMailItem } from './explain-mail-item.ts';
import { leavingLines } from './leaving-lines.ts';

/** What a person is asked before a draft is approved, or why there is nothing to ask. */
export type ApprovalPlan =
  | { readonly kind: 'refused'; readonly level: 'info' | 'warning'; readonly message: string }
  | {
      readonly kind: 'ask';
      /** What the mailroom is asked for once the person agrees; it approves nothing but what they have seen. */
      readonly approval: MailMethods['approve']['params'];
      /** A draft that waited too long asks twice. */
      readonly isExpired: boolean;
      readonly subject: string;
      readonly text: string;
      readonly lines: readonly string[];
    };

/** What approving the note of a mail or draft would do. */
export function planApproval({ draft }: MailDetails): ApprovalPlan {
  const refused = (level: 'info' | 'warning', message: string) =>
    ({ kind: 'refused', level, message }) as const;
  if (draft === undefined) return refused('info', 'There is no draft for this mail.');
  const { leaves, seen, item } = draft;
  if (item.folder !== 'Drafts') {
    return refused('info', `This draft is in ${item.folder}: there is nothing to approve.`);
  }
  if (leaves === undefined) {
    const mistakes = draft.mistakes.map(describeDraftMistake);
    return refused('warning', ['This draft cannot be sent.', ...mistakes].join(' '));
  }
  const isExpired = draft.approval === 'expired';
  return {
    kind: 'ask',
    approval: { id: item.id, seen, ...(isExpired && { evenExpired: true }) },
    isExpired,
    subject: oneLine(leaves.subject, 200),
    text: (draft.approval && explainMailItem(item)) ?? 'Exactly this leaves:',
    lines: leavingLines(leaves),
  };
}

/** What is said once a draft is approved: also why it does not leave yet, as far as the board is known. */
export function describeApproval(
  subject: string,
  { state }: Pick<MailBoard, 'state'> = { state: 'running' },
): Notice {
  const message = `Approved: ${subject}`;
  if (state === 'running' || state === 'shared') return { level: 'info', message };
  return {
    level: 'warning',
    message: `${message}. It does not leave yet. ${mailroomStateLabels[state]}`,
  };
}

/** What rejecting the note of a mail or draft would do. */
export interface RejectionPlan {
  readonly id: string;
  readonly subject: string;
  readonly question: string;
  readonly text: string;
  /** What is said once it is done. */
  readonly done: string;
  readonly kind: MailItem['kind'];
}

/** On a mail the question is about the mail, also when it has a draft. */
export function planRejection({ draft, item }: MailDetails): RejectionPlan {
  const target = item.kind === 'draft' ? (draft?.item ?? item) : item;
  const { id, kind } = target;
  const subject = oneLine(target.subject, 200);
  return kind === 'draft'
    ? {
        id,
        kind,
        subject,
        question: 'Reject this draft?',
        text: `It is moved to Done and never sent.${target.relatedId === undefined ? '' : ' The mail that it answers waits for you in Needs_Action.'}`,
        done: `Rejected: ${subject}`,
      }
    : {
        id,
        kind,
        subject,
        question: 'Close this mail without an answer?',
        text: 'Its note is moved to Done.',
        done: `Closed: ${subject}`,
      };
}

/** Why a mail was treated as it was, and what has happened to it, as lines of text. */
export function explainMail(
  { item }: MailDetails,
  reasons: MailReasons,
): {
  readonly title: string;
  readonly lines: readonly string[];
  readonly history: readonly string[];
} {
  const explained = explainMailItem(item);
  return {
    title: oneLine(item.subject, 200),
    lines: [...(explained === undefined ? [] : [explained]), ...describeMailReasons(reasons)].map(
      (line) => oneLine(line, 2_000),
    ),
    history: reasons.history.map(({ timestamp, event, text }) =>
      oneLine([timestamp, event, text].filter(Boolean).join('  '), 300),
    ),
  };
}
