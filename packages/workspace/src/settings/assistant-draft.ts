import {
  type AssistantConfig,
  type Host,
  type SecretStore,
  type Settings,
  type SettingsStore,
  suggestSecretName,
  type Trust,
} from '@errand/host';
import { findRefused, type RefusedSetting, saveSettings } from './stored-settings.ts';

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

type CheckedAssistant =
  | { readonly assistant: AssistantConfig; readonly refused?: undefined }
  /** Its path is the name of a field. */
  | { readonly refused: RefusedSetting; readonly assistant?: undefined };

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
  const refused = findRefused(change, provider === 'openai-compatible' ? 'baseUrl' : 'key');
  return refused === undefined ? { assistant } : { refused };
}

interface StoreAssistantPorts {
  readonly settings: SettingsStore;
  readonly host: Pick<Host, 'servers'>;
  readonly secrets: Pick<SecretStore, 'names' | 'set'>;
  readonly trust: Pick<Trust, 'agree'>;
}

/**
 * Stores an assistant that a person made or changed on this machine, which is the agreement to use it (D17), and
 * a typed key as a secret. `before` is the name of the one it replaces.
 */
export async function storeAssistant(
  ports: StoreAssistantPorts,
  draft: AssistantDraft,
  before?: string,
): Promise<CheckedAssistant> {
  const checked = checkAssistant(draft, ports.host.servers.settings, before);
  if (checked.refused !== undefined) return checked;
  const key = await keepKey(draft, ports.secrets);
  const assistant = key === '' ? checked.assistant : { ...checked.assistant, key };
  await saveSettings(ports, (all) => withAssistant(all, assistant, before));
  await ports.trust.agree([], [assistant]);
  return { assistant };
}

/** The reference to a draft's key; one that was typed is kept as a secret first. */
export async function keepKey(
  { name, provider, key, newKey }: AssistantDraft,
  secrets: Pick<SecretStore, 'names' | 'set'>,
): Promise<string> {
  const value = newKey.trim();
  if (value === '') return key.trim();
  // Other programs may have set secrets meanwhile, so the names are read at the last moment.
  const secret = suggestSecretName(name.trim() || provider, await secrets.names());
  await secrets.set(secret, value);
  return secretReference(secret);
}

/** The assistants with one changed or added; the first is the default. */
function withAssistant(settings: Settings, assistant: AssistantConfig, before?: string): Settings {
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
