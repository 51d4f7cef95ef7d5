import { APICallError } from '@ai-sdk/provider';
import type { Advice, AssistantConfig } from '@errand/host';
import type { OpenModel } from './open-model.ts';

/** Why a model gave no answer, or not all of it. */
export type ModelFailureCode =
  /** The provider does not accept the key. */
  | 'key_refused'
  /** The provider has no such model, or nothing is at its URL. */
  | 'model_unknown'
  /** The provider wants to be asked less often, or is overloaded. */
  | 'model_busy'
  /** The provider cannot take the request as it is. */
  | 'request_refused'
  /** The provider failed. */
  | 'model_failed'
  /** Nobody answers at the provider's address. */
  | 'model_unreachable'
  /** The connection was lost in the middle of an answer. */
  | 'answer_cut'
  /** Nothing came for too long. */
  | 'model_silent';

/** A failure as it is shown. */
export interface ModelFailure {
  readonly code: ModelFailureCode;
  readonly message: string;
  readonly advice?: readonly Advice[];
}

/** Says why asking a model failed, and what to do. Never shows its key. */
export function explainModelFailure(
  error: unknown,
  model: Pick<OpenModel, 'config' | 'redact'>,
  hasBegun: boolean,
): ModelFailure {
  const { redact } = model;
  // Redact before shortening, so that no part of the key remains.
  const explained = explain(error, model, hasBegun, shortened(redact(wordsOf(error))));
  return { ...explained, message: redact(explained.message) };
}

function explain(
  error: unknown,
  { config }: Pick<OpenModel, 'config'>,
  hasBegun: boolean,
  words: string,
): ModelFailure {
  const { name, provider, model } = config;
  const who = `${provider} (assistant "${name}")`;
  if (isTimeout(error)) {
    return { code: 'model_silent', message: `${who} has said nothing for ${silence}. Ask again.` };
  }
  const refusal = providerRefusal(error);
  const { statusCode = 0 } = refusal ?? {};
  const said = `It says: ${words}`;
  if (refusal !== undefined && statusCode >= 300 && statusCode < 400) {
    return { code: 'request_refused', message: sentElsewhere(who, refusal) };
  }
  const isInStream = error instanceof StreamError;
  // A stream that breaks off has a status too: that of its good beginning.
  if (refusal === undefined || statusCode < 400 || isInStream) {
    if (hasBegun) {
      const message = `The connection to ${who} was lost in the middle of the answer (${words}). The partial answer is kept. Ask again to continue.`;
      return { code: 'answer_cut', message };
    }
    if (!isInStream) return { code: 'model_unreachable', message: unreachable(who, config, words) };
  }
  switch (statusCode) {
    case 401:
    case 403:
      return keyRefused(who, config, said);
    case 404:
      return {
        code: 'model_unknown',
        message: `${who} has no model "${model}" at ${config.baseUrl ?? 'its own address'}. Check "model" and "baseUrl" of this assistant in the settings. ${said}`,
      };
    case 429:
    case 529:
      return {
        code: 'model_busy',
        message: `${who} is not accepting more requests now. ${waitAdvice(refusal)} ${said}`,
      };
    default:
      if (statusCode >= 500 || statusCode < 400) {
        const status = statusCode >= 500 ? ` with status ${statusCode}` : '';
        const message = `${who} failed${status}. Ask again in a while. ${said}`;
        return { code: 'model_failed', message };
      }
      return { code: 'request_refused', message: `${who} rejected the request. ${said}` };
  }
}

/** What a provider says of its failure, in place of an answer or within one. */
interface ProviderRefusal {
  readonly statusCode?: number | undefined;
  readonly isRetryable: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
}

/** A failure that a provider reports within its answer. */
class StreamError extends Error implements ProviderRefusal {
  override readonly name = 'StreamError';
  readonly statusCode: number | undefined;
  readonly isRetryable: boolean;

  constructor(message: string, { statusCode, isRetryable }: Partial<ProviderRefusal>) {
    super(message);
    this.statusCode = statusCode;
    this.isRetryable =
      isRetryable ?? (statusCode !== undefined && (retried.has(statusCode) || statusCode >= 500));
  }
}

const retried: ReadonlySet<number> = new Set([408, 409, 429]);

/** Turns the error of a stream, which is often only data, into one with a message and a status. */
export function toStreamError(error: unknown): unknown {
  if (error instanceof Error || typeof error !== 'object' || error === null) return error;
  const outer = error as Readonly<Record<string, unknown>>;
  const inner = outer['error'];
  const facts = { ...outer, ...(typeof inner === 'object' && inner) };
  const { message, isRetryable } = facts as { message?: unknown; isRetryable?: unknown };
  if (typeof message !== 'string') return error;
  const [statusCode = statusOf(message)] = [facts['statusCode'], facts['status'], facts['code']]
    .map(Number)
    .filter((status) => status >= 400 && status <= 599);
  return new StreamError(message, {
    statusCode,
    ...(typeof isRetryable === 'boolean' && { isRetryable }),
  });
}

/** Some compatible servers say only in words that they are busy. */
function statusOf(message: string): number | undefined {
  if (/^(?:(?:model )?overloaded(?: error)?|service unavailable)$/i.test(message.trim()))
    return 503;
  return /^internal server error$/i.test(message.trim()) ? 500 : undefined;
}

/** Nothing when it is not the provider that speaks. */
export function providerRefusal(error: unknown): ProviderRefusal | undefined {
  return APICallError.isInstance(error) || error instanceof StreamError ? error : undefined;
}

/** How long a model may say nothing, in milliseconds; one on this machine may have to be loaded first. */
export const silenceTimeout = 300_000;
const silence = `${silenceTimeout / 60_000} minutes`;

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function unreachable(who: string, { baseUrl }: AssistantConfig, words: string): string {
  const where = baseUrl === undefined ? '' : ` at ${baseUrl}`;
  const advice = baseUrl?.includes(':11434')
    ? 'Is Ollama running? Start it with: ollama serve'
    : 'Check the network, and "baseUrl" of this assistant in the settings.';
  return `${who} cannot be reached${where} (${words}). ${advice}`;
}

/** A key and notes go only where the settings say. */
function sentElsewhere(who: string, { responseHeaders }: ProviderRefusal): string {
  const where = responseHeaders?.location ?? 'another address';
  return `${who} sends us to ${where}. Nothing was sent there. If that is its right address, write it as "baseUrl" of this assistant into the settings.`;
}

function keyRefused(who: string, { key }: AssistantConfig, said: string): ModelFailure {
  const refused = (hint: string): ModelFailure => ({
    code: 'key_refused',
    message: `${who} does not accept the key. ${hint}${said}`,
  });
  if (key === undefined) return refused('Write "key" into the settings of this assistant. ');
  const [, kind, name = ''] = /^\$\{(env|secret):(.*)\}$/.exec(key) ?? [];
  if (kind === 'env') return refused(`Look at the environment variable ${name}. `);
  return { ...refused(''), advice: [{ kind: 'set-secret', name }] };
}

function waitAdvice(refusal: ProviderRefusal | undefined): string {
  const wait = refusal && retryDelay(refusal);
  return wait === undefined ? 'Wait a while.' : `Wait ${Math.ceil(wait / 1000)} s.`;
}

/** How long a provider asks to be left alone, in milliseconds. */
export function retryDelay({ responseHeaders }: ProviderRefusal): number | undefined {
  const precise = Number.parseFloat(responseHeaders?.['retry-after-ms'] ?? '');
  if (precise >= 0) return precise;
  const after = responseHeaders?.['retry-after'];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const delay = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000;
  return delay >= 0 ? delay : undefined;
}

function wordsOf(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) };
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return message || cause || 'no reason given';
}

function shortened(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length > 500 ? `${words.slice(0, 500).toWellFormed()} …` : words;
}

/**
 * The tool whose schema a provider does not take, when its refusal says which: by name, or by its place
 * among the tools that were sent.
 */
export function findRefusedTool(error: unknown, names: readonly string[]): string | undefined {
  if (!APICallError.isInstance(error) || error.statusCode !== 400) return undefined;
  const words = `${error.message}\n${error.responseBody ?? ''}`;
  const byName = names.find((name) => words.includes(`'${name}'`) || words.includes(`"${name}"`));
  if (byName !== undefined) return byName;
  const place =
    /function_?declarations\[(\d+)\]/i.exec(words) ?? /\btools[.[](\d+)/.exec(words) ?? undefined;
  return place === undefined ? undefined : names[Number(place[1])];
}
