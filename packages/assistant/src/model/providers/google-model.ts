import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import { apiUrl, keyHeaders, type MakeModel } from './make-model.ts';

export const googleModel: MakeModel = (config, key, fetch) =>
  new GoogleLanguageModel(config.model, {
    provider: 'google.generative-ai',
    baseURL: apiUrl(config),
    headers: keyHeaders(config.provider, key),
    generateId: () => crypto.randomUUID(),
    fetch,
  });
