import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { TurnPart } from '@errand/document';
import { type CallLog, type CallOutcome, contentText, failureText } from '@errand/host';
import type { NamedTool } from '../tools/name-tools.ts';
import type { DataFence } from './data-fence.ts';

/** What was said before, and the question. */
export type Message =
  | { readonly role: 'user'; readonly text: string; readonly data?: readonly MessageData[] }
  | { readonly role: 'assistant'; readonly parts: readonly TurnPart[] };

/** Text that comes with a question and is not the person's own. */
export interface MessageData {
  readonly what: string;
  readonly text: string;
}

/** The conversation so far as a model gets it. Calls of tools that are gone become text. */
export function modelMessages(
  history: readonly Message[],
  tools: readonly NamedTool[],
  fence: DataFence,
): LanguageModelV4Message[] {
  let calls = 0;
  return history.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === 'user') {
      const data = (message.data ?? []).map(({ what, text }) => fence(text, what));
      return [userMessage([...data, message.text].join('\n\n'))];
    }
    return grouped(message.parts).flatMap((parts): LanguageModelV4Message[] => {
      const results: LanguageModelV4ToolResultPart[] = [];
      // Providers refuse empty texts.
      const said = parts.filter((part) => part.kind !== 'text' || part.text !== '');
      const content = said.map((part) => {
        if (part.kind === 'text') return { type: 'text' as const, text: part.text };
        const name = nameOf(part, tools);
        const answer = fence(part.answer, `answer of ${part.server} ${part.tool}`);
        if (name === undefined) return { type: 'text' as const, text: answer };
        calls += 1;
        const ids = { toolCallId: `before_${calls}`, toolName: name };
        results.push({ type: 'tool-result', ...ids, output: outputOf(part.status, answer) });
        return { type: 'tool-call' as const, ...ids, input: part.parameters };
      });
      const message: LanguageModelV4Message = { role: 'assistant', content };
      return results.length === 0 ? [message] : [message, { role: 'tool', content: results }];
    });
  });
}

/** What a person says, or what is said to the model in their place. */
export function userMessage(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function outputOf(
  status: 'success' | 'error',
  value: string,
): LanguageModelV4ToolResultPart['output'] {
  return { type: status === 'success' ? 'text' : 'error-text', value };
}

/** Words that follow a call were said knowing its answer, so they are a message of their own. */
function grouped(parts: readonly TurnPart[]): readonly (readonly TurnPart[])[] {
  const groups: TurnPart[][] = [];
  let last: TurnPart | undefined;
  for (const part of parts) {
    if (last === undefined || (last.kind === 'call' && part.kind === 'text')) groups.push([]);
    groups.at(-1)?.push(part);
    last = part;
  }
  return groups;
}

function nameOf(
  part: Extract<TurnPart, { kind: 'call' }>,
  tools: readonly NamedTool[],
): string | undefined {
  return tools.find(({ tool }) => tool.serverName === part.server && tool.toolName === part.tool)
    ?.name;
}

/** Characters of an answer that a model is given. */
const mostCharacters = 20_000;

/** The text of a result for a model. A long one is cut; the log keeps all of it. */
export async function resultText(
  outcome: CallOutcome,
  log: Pick<CallLog, 'keepResult'>,
): Promise<string> {
  const { result } = outcome;
  if (result === undefined) return outcome.status === 'success' ? '' : failureText(outcome.error);
  const { content, attachments = [] } = result;
  const files = attachments.map(({ mimeType, data }) => `[${mimeType}, ${bytesOf(data)} bytes]`);
  const words = result.contentType === 'image' ? '' : contentText(content);
  const text = [words, ...files].filter((part) => part !== '').join('\n');
  if (text.length <= mostCharacters) return text;
  const beginning = text.slice(0, mostCharacters).toWellFormed();
  const place = await log.keepResult(outcome.requestId, text).catch(() => undefined);
  const where = place === undefined ? '' : ` The person has all of it in ${place}.`;
  return `${beginning}\n… (${text.length} characters in all; this is the beginning.${where})`;
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
