import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Clock } from '@errand/host';
import { providerRefusal, retryDelay, silenceTimeout } from '../model/model-failure.ts';
import type { OpenModel } from '../model/open-model.ts';
import { type ModelAnswer, readAnswer } from './read-answer.ts';

/** A tool as it is described to a model. */
export interface ToolForModel {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

interface ModelQuestion {
  readonly instructions: string;
  readonly messages: readonly LanguageModelV4Message[];
  readonly tools: readonly ToolForModel[];
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onText: (text: string) => void;
  readonly onNotice: (message: string) => void;
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
  { signal, clock, onText }: AskOptions,
): Promise<ModelAnswer> {
  using silence = silenceLimit(clock);
  const abortSignal = AbortSignal.any([signal, silence.signal]);
  const { temperature } = config;
  try {
    const { stream } = await languageModel.doStream({
      prompt: [{ role: 'system', content: instructions }, ...messages],
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool })) }),
      ...(temperature !== undefined && { temperature }),
      // Notes are not to be kept by those who answer.
      providerOptions: { openai: { store: false } },
      abortSignal,
    });
    return await readAnswer(partsOf(stream, abortSignal, silence.restart), onText);
  } catch (error) {
    // What a provider makes of an abort is not always recognisable.
    abortSignal.throwIfAborted();
    throw error;
  }
}

/** The parts of a stream as they come. Rejects when the signal fires; the stream is cancelled in any case. */
async function* partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
  onPart: () => void,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      onPart();
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** A signal that fires with a TimeoutError once nothing has come for too long. */
function silenceLimit(clock: Clock) {
  const controller = new AbortController();
  const begin = () =>
    clock.after(silenceTimeout, () =>
      controller.abort(new DOMException('The model said nothing for too long.', 'TimeoutError')),
    );
  let timer = begin();
  const stop = () => timer[Symbol.dispose]();
  const restart = () => {
    stop();
    timer = begin();
  };
  return { signal: controller.signal, restart, [Symbol.dispose]: stop };
}
