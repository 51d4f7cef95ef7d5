import type { Settings } from '@errand/host';

/** The settings that a form shows as single fields. */
export type SettingsValues = Omit<
  Settings,
  'version' | 'mcpServers' | 'discovery' | 'assistants' | 'mail' | 'sharedMailboxes'
>;

export type SettingName = keyof SettingsValues;

/** The text of the fields that were changed and not saved yet. */
export type SettingsDraft = Readonly<Partial<Record<SettingName, string>>>;

export type FieldErrors = Readonly<Partial<Record<string, string>>>;

/** The text that a field shows for a stored value. */
export function textOf(name: SettingName, value: SettingsValues[SettingName]): string {
  return name === 'mcpGlobalTimeout' ? String(Number(value) / 1_000) : String(value);
}

/** The values of a draft, and an error for each field that holds none; ranges are checked when it is saved. */
export function readDraft(draft: SettingsDraft): {
  readonly change: Partial<SettingsValues>;
  readonly errors: FieldErrors;
} {
  const change: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const [name, text] of Object.entries(draft)) {
    const read = readers[name as SettingName](text.trim());
    if ('error' in read) errors[name] = read.error;
    else change[name] = read.value;
  }
  return { change, errors };
}

/** The draft without fields that were typed back to the stored value. */
export function withoutSame(draft: SettingsDraft, values: SettingsValues): SettingsDraft {
  const isOther = ([name, text]: [string, string]) =>
    text.trim() !== textOf(name as SettingName, values[name as SettingName]);
  return Object.fromEntries(Object.entries(draft).filter(isOther));
}

/** The values of all fields. */
export function valuesOf(settings: Settings): SettingsValues {
  const names = Object.keys(readers) as SettingName[];
  return Object.fromEntries(
    names.map((name) => [name, settings[name]]),
  ) as unknown as SettingsValues;
}

type Read = { readonly value: unknown } | { readonly error: string };

const wholeNumber = (text: string): Read =>
  /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { error: 'Use a whole number.' };

const asText = (text: string): Read => ({ value: text });

const readers: Readonly<Record<SettingName, (text: string) => Read>> = {
  mcpGlobalTimeout: (text) => {
    const seconds = text === '' ? Number.NaN : Number(text);
    return seconds >= 1 && seconds <= 300
      ? { value: Math.round(seconds * 1_000) }
      : { error: 'Use a number of seconds from 1 to 300.' };
  },
  mcpConcurrentLimit: wholeNumber,
  mcpSessionLimit: wholeNumber,
  connect: asText,
  onError: asText,
  attachmentsFolder: asText,
  logParameters: (text) => ({ value: text === 'true' }),
  logDays: wholeNumber,
  logMegabytes: wholeNumber,
};
