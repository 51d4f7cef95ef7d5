import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { type MakeModel, withoutSlash } from './make-model.ts';

export const openaiModel: MakeModel = ({ model, baseUrl }, key = 'none', fetch) => {
  const baseURL = withoutSlash(baseUrl ?? 'https://api.openai.com/v1');
  return new OpenAIResponsesLanguageModel(model, {
    provider: 'openai.responses',
    url: ({ path }) => `${baseURL}${path}`,
    headers: { authorization: `Bearer ${key}` },
    fileIdPrefixes: ['file-'],
    fetch,
  });
};
