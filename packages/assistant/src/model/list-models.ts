import { APICallError } from '@ai-sdk/provider';
import type { AssistantConfig } from '@errand/host';
import { explainModelFailure, type ModelFailure } from './model-failure.ts';
import { type ModelPorts, openAccess } from './open-model.ts';
import { apiUrl, keyHeaders } from './providers/make-model.ts';

type ListedModels =
  | { readonly models: readonly string[]; readonly failure?: undefined }
  | { readonly failure: ModelFailure; readonly models?: undefined };

/** Asks a provider for the names of its models, in order; a failure says why it names none. */
export async function listModels(
  config: AssistantConfig,
  ports: ModelPorts,
  signal: AbortSignal,
): Promise<ListedModels> {
  const { key, redact, ask } = await openAccess(config, ports);
  const { provider } = config;
  const url = `${apiUrl(config)}/models${pageSizes[provider]}`;
  try {
    const headers = { accept: 'application/json', ...keyHeaders(provider, key) };
    const response = await ask(url, { headers, signal });
    const body = await readText(response);
    if (!response.ok) throw refusal(url, response, body);
    const models = namesIn(JSON.parse(body));
    if (models.length > 0) return { models };
    return { failure: { code: 'model_failed', message: `${url} lists no models. ${typeName}` } };
  } catch (error) {
    signal.throwIfAborted();
    const isNoList =
      error instanceof SyntaxError || (APICallError.isInstance(error) && error.statusCode === 404);
    if (isNoList) {
      const message = `${url} does not list models. Check the address, or type the model's name.`;
      return { failure: { code: 'model_unknown', message } };
    }
    return { failure: explainModelFailure(error, { config, redact }, false) };
  }
}

const typeName = "Type the model's name.";

const pageSizes: Readonly<Record<AssistantConfig['provider'], string>> = {
  anthropic: '?limit=1000',
  google: '?pageSize=1000',
  openai: '',
  'openai-compatible': '',
};

const mostCharacters = 10_000_000;

/** The text of an answer, unless it is too long to be a list of names. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostCharacters) throw new Error('the answer is too long');
  }
  return text + decoder.decode();
}

function refusal(url: string, response: Response, responseBody: string): APICallError {
  return new APICallError({
    message: messageIn(responseBody) ?? `status ${response.status}`,
    url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

function messageIn(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body);
    return typeof error === 'string' ? error : error?.message;
  } catch {
    return undefined;
  }
}

/** `{ data: [{ id }] }`, or Google's `{ models: [{ name: "models/…" }] }`. */
function namesIn(body: unknown): readonly string[] {
  const lists = body as { readonly data?: unknown; readonly models?: unknown } | null;
  const entries = [lists?.data, lists?.models].find(Array.isArray) ?? [];
  const names = entries.map((entry: unknown) => {
    const { id, name } = (entry ?? {}) as { readonly id?: unknown; readonly name?: unknown };
    return String(id ?? name ?? '').replace(/^models\//, '');
  });
  return [...new Set(names.filter((name) => name !== ''))].sort();
}
