import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import { type MakeModel, withoutSlash } from './make-model.ts';

export const googleModel: MakeModel = ({ model, baseUrl }, key = 'none', fetch) =>
  new GoogleLanguageModel(model, {
    provider: 'google.generative-ai',
    baseURL: withoutSlash(baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta'),
    headers: { 'x-goog-api-key': key },
    generateId: () => crypto.randomUUID(),
    fetch,
  });
