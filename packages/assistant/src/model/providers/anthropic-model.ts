import { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import { type MakeModel, withoutSlash } from './make-model.ts';

const address = 'https://api.anthropic.com';

export const anthropicModel: MakeModel = ({ model, baseUrl }, key = 'none', fetch) =>
  new AnthropicLanguageModel(model, {
    provider: 'anthropic.messages',
    baseURL: baseUrl === undefined ? `${address}/v1` : withVersion(withoutSlash(baseUrl)),
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': key },
    fetch,
  });

/** Anthropic's own address is also written without its version. */
function withVersion(url: string): string {
  return url === address ? `${url}/v1` : url;
}
