import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { apiUrl, keyHeaders, type MakeModel } from './make-model.ts';

export const openaiModel: MakeModel = (config, key, fetch) =>
  new OpenAIResponsesLanguageModel(config.model, {
    provider: 'openai.responses',
    url: ({ path }) => `${apiUrl(config)}${path}`,
    headers: keyHeaders(config.provider, key),
    fileIdPrefixes: ['file-'],
    fetch,
  });
