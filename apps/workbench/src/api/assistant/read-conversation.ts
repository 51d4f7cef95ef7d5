import {
  type ConversationContext,
  conversationAt,
  findConversations,
  findToolBlocks,
  type NoteScan,
  type Turn as NoteTurn,
  scan,
  type ToolBlock,
  turnParts,
} from '@errand/document';
import { resultParts } from '@errand/document/display';
import type { CallContent, Conversation, Turn, TurnPart } from '../../contract.ts';
import { closeJson } from '../calls/cut-text.ts';

/** A conversation as it stands in a note: that of a line's section, or the last. */
export function readConversation(
  text: string,
  context: ConversationContext,
  line: number | null,
): Pick<Conversation, 'turns' | 'openQuestion'> {
  const note = scan(text);
  const conversations = findConversations(note, context.assistants);
  const place = conversationAt(note, conversations, line ?? undefined);
  const blocks = findToolBlocks(note, context);
  const turns: Turn[] = [];
  for (const turn of place.conversation?.turns ?? []) {
    if (turn.text === '' || turn === place.openTurn) continue;
    const last = turns.at(-1);
    if (turn.role === 'user') turns.push(newTurn(turn.line, turn.text));
    else if (last === undefined) turns.push(answered(newTurn(turn.line, ''), turn, note, blocks));
    else turns[turns.length - 1] = answered(last, turn, note, blocks);
  }
  return { turns, openQuestion: place.openTurn?.text ?? null };
}

function newTurn(line: number, question: string): Turn {
  const end = { state: 'answered', message: null, code: null, tokens: null } as const;
  return {
    id: `line ${line}`,
    question,
    assistant: '',
    model: null,
    startedAt: null,
    parts: [],
    round: 1,
    tools: [],
    end: { ...end, durationMs: null },
  };
}

function answered(
  turn: Turn,
  answer: NoteTurn,
  note: NoteScan,
  blocks: readonly ToolBlock[],
): Turn {
  const parts = turnParts(note, answer, blocks).map((part, index): TurnPart => {
    if (part.kind === 'text') return part;
    const { server, tool, parameters, status, answer: text, type = 'text' } = part;
    const isGood = status === 'success';
    return {
      kind: 'call',
      call: {
        id: `${turn.id} call ${index}`,
        server,
        tool,
        params: parameters,
        status,
        approval: null,
        startedAt: null,
        progress: null,
        durationMs: null,
        content: isGood ? writtenContent(type, text) : null,
        error: isGood ? null : { code: 'tool_failed', message: text },
      },
    };
  });
  return { ...turn, assistant: answer.name, parts: [...turn.parts, ...parts] };
}

/** An answer as it stands in a note; the beginning of one whose rest is in a file. */
function writtenContent(type: CallContent['type'], payload: string): CallContent {
  if (type !== 'json') return { type: 'text', text: payload, attachments: [], isCut: false };
  const { text, files } = resultParts({ type, payload });
  const start = files.length > 0 ? closeJson(text) : text;
  return { type, text: start, attachments: [], isCut: false, files };
}
