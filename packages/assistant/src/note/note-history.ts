import {
  type Conversation,
  findToolBlocks,
  type NoteContext,
  type NoteScan,
  type Turn,
  turnParts,
} from '@errand/document';
import type { NoteStore } from '@errand/host';
import type { Message, MessageData } from '../turn/messages.ts';
import { linkedNotes } from './linked-notes.ts';

export interface NoteHistoryPorts {
  readonly notes: NoteStore;
  /** Finds a note that is named without its folder, as links in notes are. */
  readonly findNote?: (name: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Characters of a note's own text that a model is given. */
const mostOwnText = 8_000;

/** A conversation as a model gets it, up to a question: with the note above it, and notes it links to. */
export async function noteHistory(
  note: NoteScan,
  { turns }: Conversation,
  question: Turn,
  context: NoteContext & { readonly documentPath: string },
  ports: NoteHistoryPorts,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const blocks = findToolBlocks(note, context);
  const said = turns.filter(({ from, text }) => from <= question.from && text !== '');
  // Providers want a person to speak first.
  const asked = said.slice(said.findIndex(({ role }) => role === 'user'));
  const linked = await linkedNotes(asked, context.documentPath, ports, signal);
  const own = ownText(note, turns[0]?.from ?? 0, context.documentPath);
  return asked.map((turn, index): Message => {
    if (turn.role === 'assistant')
      return { role: 'assistant', parts: turnParts(note, turn, blocks) };
    const data = [...(index === 0 ? own : []), ...(linked.get(turn) ?? [])];
    return { role: 'user', text: turn.text, ...(data.length > 0 && { data }) };
  });
}

/** The end of what stands above the conversation, which is nearest to it. */
function ownText({ text, frontmatter }: NoteScan, to: number, path: string): MessageData[] {
  const from = Math.min(frontmatter?.to ?? 0, to);
  const own = text.slice(from, to).trim();
  if (own === '') return [];
  const isCut = own.length > mostOwnText;
  const shown = isCut ? `… ${own.slice(-mostOwnText).toWellFormed()}` : own;
  return [{ what: `text above this conversation in the note ${path}`, text: shown }];
}
