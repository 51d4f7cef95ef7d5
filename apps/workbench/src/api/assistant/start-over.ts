import {
  type ConversationContext,
  conversationAt,
  findConversations,
  scan,
  writeQuestion,
} from '@errand/document';
import { HostError, type NoteStore } from '@errand/host';

export interface NewQuestion {
  readonly path: string;
  readonly line: number | null;
  readonly question: string;
}

/** Writes a question into a note that begins a new conversation. Resolves with its line. */
export async function startOver(
  { path, line, question }: NewQuestion,
  notes: NoteStore,
  context: ConversationContext,
  signal: AbortSignal,
): Promise<number> {
  let written = 1;
  await notes.edit(
    path,
    (text) => {
      const note = scan(text);
      const place = conversationAt(
        note,
        findConversations(note, context.assistants),
        line ?? undefined,
      );
      const edit = writeQuestion(note, question, place, context);
      if (edit === null) {
        const message = `No question can be written into ${path} there: a block or comment above has no end. Close it, then ask again.`;
        throw new HostError('block_invalid', message);
      }
      const opening = place.conversation === null ? '' : `#NewChat${note.lineEnd.repeat(2)}`;
      const at = edit.text.indexOf('#User');
      const lead = `${edit.text.slice(0, at)}${opening}`;
      written = `${text.slice(0, edit.range[0])}${lead}`.split(/\r\n|\r|\n/).length;
      return [{ ...edit, text: `${lead}${edit.text.slice(at)}` }];
    },
    signal,
  );
  return written;
}
