import {
  answerTo,
  type Conversation,
  type ConversationContext,
  conversationAt,
  conversationKey,
  findConversations,
  findToolBlocks,
  openingOf,
  type ResultContent,
  scan,
  type Turn,
  writeQuestion,
} from '@errand/document';
import {
  type AttachmentStore,
  type CallOutcome,
  type ConversationRef,
  type Host,
  HostError,
  openToolContext,
  resultContent,
  systemClock,
} from '@errand/host';
import type { AskedCall, ConversationEvent, TurnEnd } from '../turn/conversation-event.ts';
import { type ConverseOptions, type ConversePorts, converse } from '../turn/converse.ts';
import { AnswerWriter } from './answer-writer.ts';
import { type NoteHistoryPorts, noteHistory } from './note-history.ts';

/** What is to be answered in a note. */
export interface NoteQuestion {
  readonly path: string;
  /** A line of the conversation, or of the section for it; without one, the last of the note. */
  readonly line?: number;
  /** Written into the note first; without one, the question at the conversation's end is answered. */
  readonly question?: string;
  /** The question begins a conversation of its own. */
  readonly startsOver?: boolean;
}

export interface NoteAnswerPorts extends Omit<ConversePorts, 'tools' | 'host'>, NoteHistoryPorts {
  readonly host: Pick<Host, 'servers' | 'events' | 'hints' | 'approvalOf' | 'execute'>;
  readonly attachments: AttachmentStore;
  /** The session of a conversation (D6); without it, each turn has its own: a run of the command line. */
  readonly sessionOf?: (conversation: ConversationRef) => string;
}

/** How a turn in a note ended. */
export interface NoteAnswer {
  readonly end: TurnEnd;
  /** The line of the question. */
  readonly line: number;
  /** Whether part of the answer is in the note. */
  readonly isWritten: boolean;
  /** Where the text is that has no place in the note, relative to the vault. */
  readonly kept: string | null;
}

/** Answers a question in its note, and writes the answer below it while it is coming. */
export async function answerInNote(
  request: NoteQuestion,
  ports: NoteAnswerPorts,
  options: ConverseOptions,
): Promise<NoteAnswer> {
  const { path } = request;
  const { notes, host, attachments, log, model, clock = systemClock } = ports;
  const context = (): ConversationContext & { readonly documentPath: string } => ({
    ...host.servers.noteContext(path),
    assistants: host.servers.settings.assistants.map(({ name }) => name),
  });
  await notes.ensureWritable(path, options.signal);
  const { question } = request;
  const asked =
    question === undefined ? undefined : await addQuestion(request, question, ports, context);
  const note = scan(await notes.read(path, options.signal));
  const conversations = findConversations(note, context().assistants);
  const { conversation: there, openTurn } =
    asked === undefined
      ? conversationAt(note, conversations, request.line)
      : questionAt(conversations, asked);
  if (there === null || openTurn === null) throw noQuestion(path);
  const talk = { key: conversationKey(there, conversations), opening: openingOf(there) };
  const conversation = ports.sessionOf?.({ note: path, ...talk }) ?? crypto.randomUUID();
  const history = await noteHistory(note, there, openTurn, context(), ports, options.signal);

  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const writer = new AnswerWriter({
    path,
    notes,
    clock,
    context,
    answer: answerTo(openTurn, model.config.name, conversations),
    questionLine: openTurn.line,
    onLost: () => lost.abort(),
  });
  const place = () => ({ path, line: writer.questionLine });
  const contents: Promise<void>[] = [];
  const onEvent = (event: ConversationEvent) => {
    if (event.kind === 'text-added') writer.addText(event.text);
    if (event.kind === 'round-ended') writer.endText();
    if (event.kind === 'call-ended') {
      const { call, outcome } = event;
      contents.push(writeCall(call, outcome, attachments, writer));
    }
    // Report the end only once the note has it.
    if (event.kind !== 'turn-ended') options.onEvent(event);
  };
  const turn = await converse(
    { conversation, history, place, preferredServers: serversIn(note, context()) },
    {
      ...ports,
      tools: async (asking) => {
        await Promise.all(contents);
        await writer.locate(asking);
        const user = { source: 'ai-autonomous', sessionId: conversation, place: place() } as const;
        return openToolContext(user, { host, notes }, asking);
      },
    },
    { signal, onEvent },
  );
  await Promise.all(contents);
  const remark = remarks[turn.state];
  writer.endText();
  if (remark !== undefined && writer.hasBegun) writer.addText(`*(${remark})*`);
  const unplaced = await writer.finish();
  const kept = unplaced === '' ? null : await log.keepResult(crypto.randomUUID(), unplaced);
  const end = writer.failure === undefined ? turn : endWithout(turn, writer.failure, kept);
  options.onEvent({ kind: 'turn-ended', end });
  return { end, line: writer.questionLine, isWritten: writer.hasWritten, kept };
}

/** Resolves with the line that the question stands on. */
async function addQuestion(
  { path, line, startsOver }: NoteQuestion,
  question: string,
  { notes }: NoteAnswerPorts,
  context: () => ConversationContext,
): Promise<number> {
  let written = 1;
  await notes.edit(path, (text) => {
    const note = scan(text);
    const place = conversationAt(note, findConversations(note, context().assistants), line);
    const edit = writeQuestion(note, question.trim(), place, context(), startsOver);
    if (edit === null) {
      const message = `No question can be written into ${path} there: a block or comment above has no end. Close it, then ask again.`;
      throw new HostError('block_invalid', message);
    }
    const above = text.slice(0, edit.range[0]) + edit.text.slice(0, edit.text.indexOf('#User'));
    written = above.split(/\r\n|\r|\n/).length;
    return [edit];
  });
  return written;
}

/** The question that was written on a line, wherever its conversation begins. */
function questionAt(conversations: readonly Conversation[], line: number) {
  const isAsked = (turn: Turn) => turn.line === line && turn.role === 'user';
  const conversation = conversations.find(({ turns }) => turns.some(isAsked)) ?? null;
  return { conversation, openTurn: conversation?.turns.find(isAsked) ?? null };
}

function noQuestion(path: string): HostError {
  return new HostError(
    'block_invalid',
    `${path} has no unanswered question. Write one at its end, such as "#User : What is new?".`,
  );
}

async function writeCall(
  call: AskedCall,
  outcome: CallOutcome,
  attachments: AttachmentStore,
  writer: AnswerWriter,
): Promise<void> {
  const { server, tool, parameters } = call;
  if (server === null) {
    writer.endText();
    writer.addText(`*(There is no tool ${tool}.)*`);
    writer.endText();
    return;
  }
  const content =
    outcome.status === 'success'
      ? await resultContent(outcome.result, undefined, attachments).catch(unsaved)
      : failure(outcome.error.code, outcome.error.message);
  writer.addCall({ server, tool, parameters, content });
}

/** A disk that takes no attachment must not end the turn: the model has the answer already. */
function unsaved(error: unknown): ResultContent {
  return failure('note_unreadable', error instanceof Error ? error.message : String(error));
}

function failure(code: string, payload: string): ResultContent {
  return { status: 'error', type: 'text', code, payload };
}

/** Servers that the note itself asks, whose tools a model will most likely need. */
function serversIn(note: ReturnType<typeof scan>, context: ConversationContext): readonly string[] {
  return [...new Set(findToolBlocks(note, context).flatMap(({ server }) => server ?? []))];
}

/** What is written below an answer that is not whole. */
const remarks: Readonly<Partial<Record<TurnEnd['state'], string>>> = {
  length: 'The answer reached its longest here.',
  rounds: 'No more tools could be used in this turn.',
  repeated: 'Stopped: the same call had the same answer three times.',
  cancelled: 'Stopped here.',
  failed: 'The answer was cut off here.',
};

function endWithout(end: TurnEnd, { code, message }: HostError, kept: string | null): TurnEnd {
  const rest = kept === null ? '' : ` What has no place in the note is kept in ${kept}`;
  return { ...end, state: 'failed', code, message: `${message}${rest}` };
}
