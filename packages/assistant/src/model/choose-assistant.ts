import { type AssistantConfig, HostError } from '@errand/host';

/** The assistant of that name, or the first; throws `settings_invalid` when there is none. */
export function chooseAssistant(
  assistants: readonly AssistantConfig[],
  wanted?: string,
): AssistantConfig {
  const [first] = assistants;
  if (first === undefined) throw noAssistant();
  if (wanted === undefined) return first;
  const found = assistants.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const names = assistants.map(({ name }) => name).join(', ');
  throw new HostError(
    'settings_invalid',
    `No assistant is called "${wanted}". There are: ${names}.`,
  );
}

function noAssistant(): HostError {
  const advice = [{ kind: 'add-assistant' }] as const;
  return new HostError('settings_invalid', 'No language model is set up.', {}, { advice });
}
