import type { AssistantConfig } from '@errand/host';
import type { LanguageModel } from 'ai';

/** Makes the model of a settings entry, asked with this key by this fetch. */
export type MakeModel = (
  config: AssistantConfig,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
) => LanguageModel;

/** A URL to which paths can be added. */
export function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
