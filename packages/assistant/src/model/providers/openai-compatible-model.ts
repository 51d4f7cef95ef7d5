import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { apiUrl, keyHeaders, type MakeModel } from './make-model.ts';

export const openaiCompatibleModel: MakeModel = (config, key, fetch) =>
  new OpenAICompatibleChatLanguageModel(config.model, {
    provider: `${config.name}.chat`,
    url: ({ path }) => `${apiUrl(config)}${path}`,
    headers: keyHeaders(config.provider, key),
    includeUsage: true,
    fetch,
  });
