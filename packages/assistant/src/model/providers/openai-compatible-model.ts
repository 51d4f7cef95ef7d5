import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { type MakeModel, withoutSlash } from './make-model.ts';

export const openaiCompatibleModel: MakeModel = ({ name, model, baseUrl = '' }, key, fetch) =>
  new OpenAICompatibleChatLanguageModel(model, {
    provider: `${name}.chat`,
    url: ({ path }) => `${withoutSlash(baseUrl)}${path}`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    includeUsage: true,
    fetch,
  });
