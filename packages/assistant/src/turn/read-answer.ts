import type {
  JSONValue,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { safeParseJSON } from '@ai-sdk/provider-utils';
import type { TokenCount } from '@errand/host';
import { toStreamError } from '../model/model-failure.ts';

/** What a model said in one round. */
export interface ModelAnswer {
  readonly calls: readonly RequestedCall[];
  readonly finish: LanguageModelV4FinishReason['unified'];
  readonly rawFinish: string | undefined;
  readonly tokens?: TokenCount;
  /** What it said, to be sent back to it with the answers to its calls. */
  readonly messages: readonly LanguageModelV4Message[];
}

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why its arguments cannot be read. */
  readonly mistake?: string;
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type Passage = Extract<AssistantPart, { type: 'text' | 'reasoning' }>;

/** Puts the parts of a streamed answer together. Rejects with an error that the stream contains, and when it ends early. */
export async function readAnswer(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  onText: (text: string) => void,
): Promise<ModelAnswer> {
  const content: AssistantPart[] = [];
  const calls: RequestedCall[] = [];
  const open = new Map<string, Passage>();
  let end: Pick<ModelAnswer, 'finish' | 'rawFinish' | 'tokens'> | undefined;
  for await (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const passage: Passage = { type, text: '', ...optionsOf(part) };
        content.push(passage);
        open.set(`${type} ${part.id}`, passage);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const [type = ''] = part.type.split('-');
        const passage = open.get(`${type} ${part.id}`);
        const delta = 'delta' in part ? part.delta : '';
        // A provider signs its reasoning at the end of it, and wants the signature back.
        if (passage !== undefined) {
          passage.text += delta;
          Object.assign(passage, optionsOf(part));
        }
        if (type === 'text' && delta !== '') onText(delta);
        break;
      }
      case 'file':
      case 'reasoning-file': {
        const { type, mediaType, data } = part;
        content.push({ type, mediaType, data, ...optionsOf(part) });
        break;
      }
      case 'custom':
        content.push({ type: 'custom', kind: part.kind, ...optionsOf(part) });
        break;
      case 'tool-call': {
        const call = await requestedCall(part);
        calls.push(call);
        const { id: toolCallId, name: toolName } = call;
        const input = isObject(call.input) ? call.input : {};
        content.push({ type: 'tool-call', toolCallId, toolName, input, ...optionsOf(part) });
        break;
      }
      case 'finish': {
        const { unified: finish, raw: rawFinish } = part.finishReason;
        end = { finish, rawFinish, ...tokensOf(part.usage) };
        break;
      }
      case 'error':
        throw toStreamError(part.error);
    }
  }
  if (end === undefined) throw new Error('the stream ended early');
  const said = content.filter(
    (part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
  );
  return { ...end, calls, messages: said.length > 0 ? [{ role: 'assistant', content: said }] : [] };
}

function optionsOf({
  providerMetadata: providerOptions,
}: {
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined;
}) {
  return providerOptions && { providerOptions };
}

/** Whether there is such a tool is for others to say: not all there are were offered. */
async function requestedCall(part: LanguageModelV4ToolCall): Promise<RequestedCall> {
  const { toolCallId: id, toolName: name, input: text } = part;
  if (text.trim() === '') return { id, name, input: {} };
  const read = await safeParseJSON({ text });
  if (!read.success) return { id, name, input: text, mistake: read.error.message };
  const input: JSONValue = read.value;
  if (isObject(input)) return { id, name, input };
  return { id, name, input, mistake: 'The arguments must be a JSON object.' };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tokensOf({
  inputTokens,
  outputTokens,
}: {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}): { readonly tokens?: TokenCount } {
  const [input, output] = [inputTokens.total, outputTokens.total];
  if (input === undefined && output === undefined) return {};
  return { tokens: { input: input ?? 0, output: output ?? 0 } };
}
