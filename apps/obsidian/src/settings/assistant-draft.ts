import type { AssistantConfig, Settings } from '@errand/host';
import { findMistakes, type Mistakes } from './find-mistakes.ts';

/** An assistant's form as it is typed. */
export interface AssistantDraft {
  readonly name: string;
  readonly provider: AssistantConfig['provider'];
  readonly model: string;
  readonly baseUrl: string;
  /** `${secret:NAME}` or `${env:NAME}`. */
  readonly key: string;
  /** A key that was typed and becomes a secret when the form is stored; never a part of the settings. */
  readonly newKey: string;
  readonly temperature: string;
}

export const emptyAssistant: AssistantDraft = {
  name: '',
  provider: 'anthropic',
  model: '',
  baseUrl: '',
  key: '',
  newKey: '',
  temperature: '',
};

export function draftOfAssistant(assistant: AssistantConfig): AssistantDraft {
  const { temperature, ...rest } = assistant;
  return {
    ...emptyAssistant,
    ...rest,
    temperature: temperature === undefined ? '' : String(temperature),
  };
}

export type CheckedAssistant =
  | { readonly assistant: AssistantConfig; readonly mistakes?: undefined }
  | { readonly mistakes: Mistakes; readonly assistant?: undefined };

/** Checks an assistant as storing it would; `before` is the name of the one it replaces. */
export function checkAssistant(
  draft: AssistantDraft,
  { assistants }: Pick<Settings, 'assistants'>,
  before?: string,
): CheckedAssistant {
  const { name, provider, model } = draft;
  const reference = draft.newKey.trim() === '' ? draft.key : secretReference('typed');
  const [baseUrl, key, temperature] = [draft.baseUrl, reference, draft.temperature].map((text) =>
    text.trim(),
  );
  const assistant: AssistantConfig = {
    name: name.trim(),
    provider,
    model: model.trim(),
    ...(baseUrl && { baseUrl }),
    ...(key && { key }),
    ...(temperature && { temperature: Number(temperature) }),
  };
  const others = assistants.filter((other) => other.name !== before);
  const change = (all: Settings) => ({ ...all, assistants: [...others, assistant] });
  const mistakes = findMistakes(change, provider === 'openai-compatible' ? 'baseUrl' : 'key');
  return mistakes === undefined ? { assistant } : { mistakes };
}

/** The assistants with one changed or added; the first is the default. */
export function withAssistant(
  settings: Settings,
  assistant: AssistantConfig,
  before?: string,
): Settings {
  const { assistants } = settings;
  const isThere = assistants.some(({ name }) => name === before);
  return {
    ...settings,
    assistants: isThere
      ? assistants.map((other) => (other.name === before ? assistant : other))
      : [...assistants, assistant],
  };
}

/** How the settings name a secret. */
export function secretReference(name: string): string {
  return `\${secret:${name}}`;
}
