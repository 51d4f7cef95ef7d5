import {
  type AssistantConfig,
  expandReferences,
  type HostError,
  type ReferenceSources,
} from '@errand/host';
import type { LanguageModel } from 'ai';

/** A language model that can be asked. */
export interface OpenModel {
  readonly config: AssistantConfig;
  readonly languageModel: LanguageModel;
  /** Takes the key out of a text. */
  readonly redact: (text: string) => string;
}

export interface ModelPorts extends ReferenceSources {
  /** Why an assistant must not be used; trust is decided here, before its key is looked up (D17). */
  readonly mayUse: (assistant: AssistantConfig) => HostError | undefined;
}

/** Makes an assistant ready. Rejects with `untrusted`, or `secret_missing` when its key is not set. */
export async function openModel(
  config: AssistantConfig,
  { mayUse, ...sources }: ModelPorts,
): Promise<OpenModel> {
  const refusal = mayUse(config);
  if (refusal !== undefined) throw refusal;
  const { key } = config;
  const { value, redact } = await expandReferences({ key }, `Assistant "${config.name}"`, sources);
  return { config, languageModel: await providers[config.provider](config, value.key), redact };
}

/** Follows nobody elsewhere: `fetch` would take along the notes, and keys in headers it does not know. */
const fetchThere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

type MakeModel = (config: AssistantConfig, key: string | undefined) => Promise<LanguageModel>;

/**
 * Without a key one that is none is handed over: these packages would else take the person's own from
 * the environment, and send it wherever `baseUrl` says. Each is loaded only when it is used.
 */
const providers: Readonly<Record<AssistantConfig['provider'], MakeModel>> = {
  anthropic: async ({ model, baseUrl }, apiKey = 'none') => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey, fetch: fetchThere, ...(baseUrl && { baseURL: baseUrl }) })(
      model,
    );
  },
  openai: async ({ model, baseUrl }, apiKey = 'none') => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey, fetch: fetchThere, ...(baseUrl && { baseURL: baseUrl }) })(model);
  },
  google: async ({ model, baseUrl }, apiKey = 'none') => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ apiKey, fetch: fetchThere, ...(baseUrl && { baseURL: baseUrl }) })(model);
  },
  'openai-compatible': async ({ model, baseUrl = '', name }, apiKey) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name,
      baseURL: baseUrl,
      includeUsage: true,
      fetch: fetchThere,
      ...(apiKey && { apiKey }),
    })(model);
  },
};
