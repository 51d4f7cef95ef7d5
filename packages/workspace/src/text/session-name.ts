import type { SessionUse } from '@errand/host';

/** Characters of what a conversation began with. */
const mostShown = 40;

/** Names the note or conversation of a session; undefined when it has neither. */
export function sessionName({
  note,
  conversation,
}: Pick<SessionUse, 'note' | 'conversation'>): string | undefined {
  if (conversation === null) return note ?? undefined;
  const words = conversation.replace(/\s+/g, ' ').trim();
  const shown =
    words.length > mostShown ? `${words.slice(0, mostShown).toWellFormed().trimEnd()}…` : words;
  return `conversation “${shown}”${note === null ? '' : ` in ${note}`}`;
}
