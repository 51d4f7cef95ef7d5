import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { AssistantConfig } from '@errand/host';

/** Makes the model of a settings entry, asked with this key by this fetch. */
export type MakeModel = (
  config: AssistantConfig,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
) => LanguageModelV4;

/** A URL to which paths can be added. */
function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

/** Where a provider's API is: at the URL of the entry, or at its own. */
export function apiUrl({
  provider,
  baseUrl,
}: Pick<AssistantConfig, 'provider' | 'baseUrl'>): string {
  const url = withoutSlash(baseUrl ?? ownUrls[provider]);
  // Anthropic's own address is also written without its version.
  return `${url}/v1` === ownUrls.anthropic ? ownUrls.anthropic : url;
}

const ownUrls: Readonly<Record<AssistantConfig['provider'], string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': '',
};

/** The headers that hold a key, as each provider wants it. */
export function keyHeaders(
  provider: AssistantConfig['provider'],
  key: string | undefined,
): Readonly<Record<string, string>> {
  switch (provider) {
    case 'anthropic':
      return { 'anthropic-version': '2023-06-01', 'x-api-key': key ?? 'none' };
    case 'google':
      return { 'x-goog-api-key': key ?? 'none' };
    case 'openai':
      return { authorization: `Bearer ${key ?? 'none'}` };
    case 'openai-compatible':
      return key === undefined ? {} : { authorization: `Bearer ${key}` };
  }
}
