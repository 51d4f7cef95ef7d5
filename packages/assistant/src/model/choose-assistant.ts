import { type AssistantConfig, HostError } from '@errand/host';

/** The assistant of that name, or the first; throws `settings_invalid` with how to make one. */
export function chooseAssistant(
  assistants: readonly AssistantConfig[],
  wanted?: string,
): AssistantConfig {
  const [first] = assistants;
  if (first === undefined) throw new HostError('settings_invalid', howToMakeOne);
  if (wanted === undefined) return first;
  const found = assistants.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const names = assistants.map(({ name }) => name).join(', ');
  throw new HostError(
    'settings_invalid',
    `No assistant is called "${wanted}". There are: ${names}.`,
  );
}

const howToMakeOne = `No language model is set up. Write one into .errand/settings.json, for example one of these.
With Ollama, on this machine (first: ollama pull qwen3):
  "assistants": [{ "name": "Local", "provider": "openai-compatible", "model": "qwen3", "baseUrl": "http://127.0.0.1:11434/v1" }]
With a key (first: errand secrets set anthropic; then: errand trust):
  "assistants": [{ "name": "Claude", "provider": "anthropic", "model": "claude-sonnet-4-5", "key": "\${secret:anthropic}" }]`;
