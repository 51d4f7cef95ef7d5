import type { NoteStore } from '@errand/host';
import { localServer, MemoryAttachments, textResult } from '@errand/host/testing';
import {
  answerInNote,
  type NoteAnswer,
  type NoteAnswerPorts,
  type NoteQuestion,
} from '../note/answer-in-note.ts';
import type { Approver } from '../turn/approval.ts';
import type { ConversationEvent } from '../turn/conversation-event.ts';
import type { Script } from './model-server.ts';
import { call, openTurnFixture, readTool, type TurnFixture } from './turn-fixture.ts';

interface NoteTurnOptions extends Partial<NoteQuestion> {
  readonly notes?: NoteStore;
  readonly approver?: Approver;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ConversationEvent) => void;
  readonly sessionOf?: NoteAnswerPorts['sessionOf'];
}

/** Answers in the note `Trip.md` of a fixture. */
export async function noteTurn(
  fixture: TurnFixture,
  { notes = fixture.notes, approver, signal, onEvent, sessionOf, ...request }: NoteTurnOptions = {},
): Promise<NoteAnswer> {
  const { model, log } = await fixture.ports();
  return answerInNote(
    { path: 'Trip.md', ...request },
    {
      model,
      log,
      notes,
      host: fixture.memory.host,
      attachments: new MemoryAttachments(),
      ...(approver && { approver }),
      ...(sessionOf && { sessionOf }),
    },
    {
      signal: signal ?? new AbortController().signal,
      onEvent: (event) => {
        fixture.events.push(event);
        onEvent?.(event);
      },
    },
  );
}

const assistants = [
  { name: 'Claude', provider: 'anthropic', model: 'm', key: `\${secret:key}` },
] as const;

/** A fixture with this text as `Trip.md`, and two servers. */
export function openNote(note: string, ...script: readonly Script[]): Promise<TurnFixture> {
  return openTurnFixture({
    script,
    servers: [localServer('weather'), localServer('files')],
    settings: { assistants },
    behaviours: {
      weather: {
        tools: [readTool('forecast')],
        call: async ({ arguments: { city } }) => textResult(`12 °C in ${String(city)}`),
      },
    },
    notes: { 'Trip.md': note, 'People/Ines.md': 'Ines lives in Porto.' },
  });
}

/** What stands in `Trip.md` now. */
export function textOf({ notes }: TurnFixture): string {
  return notes.texts.get('Trip.md') ?? '';
}

/** A call that every `openNote` can answer. */
export const forecast = call('weather__forecast');
