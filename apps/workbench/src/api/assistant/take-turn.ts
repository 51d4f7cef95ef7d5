import type { ConversationEvent, OpenModel } from '@errand/assistant';
import { openToolContext } from '@errand/host';
import { findNote } from '@errand/machine/node';
import { shorten } from '@errand/workspace/text';
import type { ConversationLocation, Turn } from '../../contract.ts';
import type { ConversationsPorts } from './conversations.ts';
import type { LiveTurn } from './live-turn.ts';
import { trackSection } from './track-section.ts';
import { turnHistory } from './turn-history.ts';

/** Characters of the open note that a model is given with a question that is not kept in it. */
const mostOfNote = 16_000;

export interface AskedTurn extends ConversationLocation {
  /** Tells the conversation from others, when it is not kept in a note. */
  readonly key: string;
  readonly past: readonly Turn[];
  readonly line: number | null;
  readonly question: string;
  /** The question stands in the note already. */
  readonly isOpen: boolean;
  readonly isNew: boolean;
}

export interface TurnPorts extends Omit<ConversationsPorts, 'feed'> {
  readonly assistant: typeof import('@errand/assistant');
  readonly model: OpenModel;
}

/** Lets a model answer, in the note or beside it. Resolves when the turn has ended. */
export async function takeTurn(asked: AskedTurn, live: LiveTurn, ports: TurnPorts): Promise<void> {
  const onEvent = (event: ConversationEvent) => live.take(event);
  const options = { signal: live.signal, onEvent };
  if (asked.note !== null && asked.isKept) {
    await answerThere({ ...asked, note: asked.note }, live, ports, options);
  } else await answerFreely(asked, live, ports, options);
}

type TurnOptions = Parameters<TurnPorts['assistant']['converse']>[2];

async function answerThere(
  asked: AskedTurn & { readonly note: string },
  live: LiveTurn,
  { assistant, model, host, log, notes, attachments, folder, sessions }: TurnPorts,
  options: TurnOptions,
): Promise<void> {
  const { note: path, line, question, isOpen, isNew: startsOver } = asked;
  await assistant.answerInNote(
    { path, startsOver, ...(line !== null && { line }), ...(!isOpen && { question }) },
    {
      model,
      host,
      log,
      notes,
      attachments,
      approver: live,
      sessionOf: (conversation) => sessions.ofConversation(conversation),
      findNote: (name, signal) => findNote(folder, name, signal),
    },
    options,
  );
}

async function answerFreely(
  { note, line, key, past, question }: AskedTurn,
  live: LiveTurn,
  { assistant, model, host, log, notes, sessions }: TurnPorts,
  options: TurnOptions,
): Promise<void> {
  const place = note === null ? undefined : { path: note, ...(line !== null && { line }) };
  const text = note === null ? '' : await notes.read(note, live.signal);
  const data = note === null ? [] : openNote(note, text);
  const follow = place && trackSection(place, text);
  const opening = past[0]?.question ?? question;
  const conversation = sessions.ofConversation({ note, key, opening });
  await assistant.converse(
    {
      conversation,
      history: [
        ...turnHistory(past),
        { role: 'user', text: question, ...(data.length > 0 && { data }) },
      ],
      ...(place && { place: () => place }),
    },
    {
      model,
      host,
      log,
      approver: live,
      tools: async (signal) => {
        const now = follow && place && follow(await notes.read(place.path, signal));
        const user = {
          source: 'ai-autonomous',
          sessionId: conversation,
          ...(now && { place: now }),
        } as const;
        return openToolContext(user, { host, notes }, signal);
      },
    },
    options,
  );
}

function openNote(path: string, whole: string) {
  const text = shorten(whole.trim(), mostOfNote);
  return text === '' ? [] : [{ what: `the note ${path}, which the person has open`, text }];
}
