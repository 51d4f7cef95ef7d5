import { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import { apiUrl, keyHeaders, type MakeModel } from './make-model.ts';

export const anthropicModel: MakeModel = (config, key, fetch) =>
  new AnthropicLanguageModel(config.model, {
    provider: 'anthropic.messages',
    baseURL: apiUrl(config),
    headers: keyHeaders(config.provider, key),
    fetch,
  });
