import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  type AssistantConfig,
  expandReferences,
  type HostError,
  type ReferenceSources,
} from '@errand/host';
import type { MakeModel } from './providers/make-model.ts';

/** A language model that can be asked. */
export interface OpenModel {
  readonly config: AssistantConfig;
  readonly languageModel: LanguageModelV4;
  /** Takes the key out of a text. */
  readonly redact: (text: string) => string;
}

export interface ModelPorts extends ReferenceSources {
  /** Why an assistant must not be used; trust is decided here, before its key is looked up (D17). */
  readonly mayUse: (assistant: AssistantConfig) => HostError | undefined;
  /** How requests are made; by the global `fetch` if not said. */
  readonly fetch?: typeof fetch;
}

/** Makes an assistant ready. Rejects with `untrusted`, or `secret_missing` when its key is not set. */
export async function openModel(config: AssistantConfig, ports: ModelPorts): Promise<OpenModel> {
  const { key, redact, ask } = await openAccess(config, ports);
  const makeModel = await providers[config.provider]();
  return { config, languageModel: makeModel(config, key, ask), redact };
}

/** How an assistant's provider is asked: with its key, and never somewhere else. */
export async function openAccess(
  config: AssistantConfig,
  { mayUse, fetch: ask = fetch, ...sources }: ModelPorts,
) {
  const refusal = mayUse(config);
  if (refusal !== undefined) throw refusal;
  const { key } = config;
  const { value, redact } = await expandReferences({ key }, `Assistant "${config.name}"`, sources, {
    assistant: config,
  });
  return { key: value.key, redact, ask: staying(ask) };
}

/** Follows no redirect: `fetch` would forward the notes, and keys in headers it does not know. */
function staying(ask: typeof fetch): typeof fetch {
  return (input, init) => ask(input, { ...init, redirect: 'manual' });
}

/**
 * The model classes themselves, not the packages' `create…`: those bring along all that a provider
 * offers, and take the person's own key and URL from the environment when the settings have none. Each
 * is loaded only when it is used, from a file of its own: bundlers keep all of a package that is itself
 * imported dynamically.
 */
const providers: Readonly<Record<AssistantConfig['provider'], () => Promise<MakeModel>>> = {
  anthropic: async () => (await import('./providers/anthropic-model.ts')).anthropicModel,
  openai: async () => (await import('./providers/openai-model.ts')).openaiModel,
  google: async () => (await import('./providers/google-model.ts')).googleModel,
  'openai-compatible': async () =>
    (await import('./providers/openai-compatible-model.ts')).openaiCompatibleModel,
};
