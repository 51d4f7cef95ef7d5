import type { MailItem } from '@errand/mailroom';

/** What a person should know about a note and can do about it; undefined when its label says it all. */
export function explainMailItem(item: MailItem): string | undefined {
  const { state, attempts = 0, lastError, question, problem } = item;
  const because = lastError === undefined ? '' : ` ${sentence(lastError)}`;
  if (item.hasBounced) return `It could not be delivered.${because}`;
  switch (state) {
    case 'needs-info':
      return (
        question ?? 'It has no reply. Answer it yourself, let it be decided again, or close it.'
      );
    case 'delegated':
      return question === undefined ? undefined : `For ${sentence(question)}`;
    case 'failed':
      return `The model gave no usable answer.${because} Decide yourself, or let it be decided again.`;
    case 'expired':
      return 'It has waited too long. Read it again before you approve it.';
    case 'changed':
      return 'It was changed after you approved it, so nothing was sent. Read it and approve it again.';
    case 'retrying':
      return `Tried ${times(attempts)} without success.${because}`;
    case 'stuck':
      return `It will not be tried again by itself.${because} Correct it, then approve it again.`;
    case 'unclear':
      return `The connection broke while it was being sent, and it cannot be told whether it left.${because} Look into the mailbox, then say what you found.`;
    case 'unreadable':
      return `The lines between --- at the top of the note cannot be read${problem === undefined ? '' : `: ${problem}`}. Correct them in the note; nothing happens to it before.`;
    case 'misplaced':
      return item.kind === 'mail'
        ? 'This is a mail that came in, and its folder is for drafts. Nothing is sent. Move it back to Needs_Action.'
        : 'This is a draft, and its folder is for mails that came in. Move it to Drafts.';
    default:
      return undefined;
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
