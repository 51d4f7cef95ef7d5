import type { NoteStore } from '@errand/host';
import { MemoryAttachments } from '@errand/host/testing';
import { answerInNote, type NoteAnswer, type NoteQuestion } from '../note/answer-in-note.ts';
import type { Approver } from '../turn/approval.ts';
import type { ConversationEvent } from '../turn/conversation-event.ts';
import type { TurnWorld } from './turn-world.ts';

export interface NoteTurnOptions extends Partial<NoteQuestion> {
  readonly notes?: NoteStore;
  readonly approver?: Approver;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ConversationEvent) => void;
}

/** Answers in the note `Trip.md` of a world. */
export async function noteTurn(
  world: TurnWorld,
  { notes = world.notes, approver, signal, onEvent, ...request }: NoteTurnOptions = {},
): Promise<NoteAnswer> {
  const { model, log } = await world.ports();
  return answerInNote(
    { path: 'Trip.md', ...request },
    {
      model,
      log,
      notes,
      host: world.memory.host,
      attachments: new MemoryAttachments(),
      ...(approver && { approver }),
    },
    {
      signal: signal ?? new AbortController().signal,
      onEvent: (event) => {
        world.events.push(event);
        onEvent?.(event);
      },
    },
  );
}
