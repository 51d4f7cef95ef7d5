import type { Clock, TokenCount } from '@errand/host';
import {
  type FinishReason,
  jsonSchema,
  type ModelMessage,
  NoSuchToolError,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { providerRefusal, retryDelay, silenceTimeout } from '../model/model-failure.ts';
import type { OpenModel } from '../model/open-model.ts';

/** A tool as it is described to a model. */
export interface ToolForModel {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

interface ModelQuestion {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolForModel[];
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onText: (text: string) => void;
  readonly onNotice: (message: string) => void;
}

/** What a model said in one round. */
export interface ModelAnswer {
  readonly calls: readonly RequestedCall[];
  readonly finish: FinishReason;
  readonly rawFinish: string | undefined;
  readonly tokens?: TokenCount;
  /** What it said, to be sent back to it with the answers to its calls. */
  readonly messages: readonly ModelMessage[];
}

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why its arguments cannot be read. */
  readonly mistake?: string;
}

/** Retries for a provider that is busy or failed before its first text. */
const mostRetries = 2;
const longestWait = 60_000;

/** Asks a model once, and again when its provider is only busy. Rejects with what went wrong. */
export async function askModel(
  model: OpenModel,
  question: ModelQuestion,
  options: AskOptions,
): Promise<ModelAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    let hasSpoken = false;
    const onText = (text: string) => {
      hasSpoken = true;
      options.onText(text);
    };
    try {
      return await askOnce(model, question, { ...options, onText });
    } catch (error) {
      options.signal.throwIfAborted();
      const wait = hasSpoken || attempt > mostRetries ? undefined : waitBeforeRetry(error, attempt);
      if (wait === undefined) throw error;
      const seconds = Math.max(1, Math.round(wait / 1000));
      options.onNotice(`${model.config.provider} is busy; asking again in ${seconds} s.`);
      await options.clock.sleep(wait, options.signal);
    }
  }
}

function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
  const refusal = providerRefusal(error);
  if (refusal?.statusCode === undefined || !refusal.isRetryable) return undefined;
  const wait = retryDelay(refusal) ?? 1000 * 4 ** (attempt - 1);
  return wait <= longestWait ? wait : undefined;
}

async function askOnce(
  { config, languageModel }: OpenModel,
  { instructions, messages, tools }: ModelQuestion,
  { signal, onText }: AskOptions,
): Promise<ModelAnswer> {
  // Warnings about settings that a model does not know go to the console otherwise, over the answer.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { temperature } = config;
  const result = streamText({
    model: languageModel,
    instructions,
    messages: [...messages],
    ...(tools.length > 0 && { tools: toolSet(tools) }),
    ...(temperature !== undefined && { temperature }),
    // Notes are not to be kept by those who answer.
    providerOptions: { openai: { store: false } },
    maxRetries: 0,
    abortSignal: signal,
    timeout: { firstChunkMs: silenceTimeout, chunkMs: silenceTimeout },
    onError: () => {},
  });
  const calls: RequestedCall[] = [];
  let end: Pick<ModelAnswer, 'finish' | 'rawFinish' | 'tokens'> | undefined;
  for await (const part of result.stream) {
    switch (part.type) {
      case 'text-delta':
        if (part.text !== '') onText(part.text);
        break;
      case 'tool-call':
        calls.push(requestedCallOf(part));
        break;
      case 'finish-step':
        end = {
          finish: part.finishReason,
          rawFinish: part.rawFinishReason,
          ...tokensOf(part.usage),
        };
        break;
      case 'error':
        throw part.error;
      case 'abort':
        signal.throwIfAborted();
        throw new DOMException('The model said nothing for too long.', 'TimeoutError');
    }
  }
  if (end === undefined) throw new Error('the stream ended early');
  const said = (await result.responseMessages).filter(({ role }) => role === 'assistant');
  return { ...end, calls, messages: said };
}

function toolSet(tools: readonly ToolForModel[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  );
}

function requestedCallOf(part: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly invalid?: boolean | undefined;
  readonly error?: unknown;
}): RequestedCall {
  const { toolCallId: id, toolName: name, input, invalid, error } = part;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  // Whether there is such a tool is ours to say: not all there are were offered.
  if (isObject && (invalid !== true || NoSuchToolError.isInstance(error)))
    return { id, name, input };
  const mistake = error instanceof Error ? error.message : 'The arguments must be a JSON object.';
  return { id, name, input, mistake };
}

function tokensOf(usage: {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}): { readonly tokens?: TokenCount } {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  return { tokens: { input: inputTokens ?? 0, output: outputTokens ?? 0 } };
}
