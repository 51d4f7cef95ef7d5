import { isTypo } from '@errand/document';
import { HostError, readSettings, type Settings } from '@errand/host';

/** The settings that are one value each; servers and assistants have commands and forms of their own. */
export type SettingKey = Exclude<keyof Settings, 'version' | 'mcpServers' | 'assistants'>;

/** One setting with its value and its default. */
export interface SettingValue {
  readonly key: SettingKey;
  readonly value: Settings[SettingKey];
  readonly default: Settings[SettingKey];
}

/** All settings that are one value each, with their defaults. */
export function listSettings(settings: Settings): readonly SettingValue[] {
  const { version, mcpServers, assistants, problems, brokenBindings, ...defaults } = readSettings(
    undefined,
    'settings',
  );
  return (Object.keys(defaults) as SettingKey[]).map((key) => ({
    key,
    value: settings[key],
    default: defaults[key],
  }));
}

/** The setting of this name; throws `settings_invalid` with the nearest name. */
export function findSetting(settings: Settings, name: string): SettingValue {
  const all = listSettings(settings);
  const found = all.find(({ key }) => key === name);
  if (found !== undefined) return found;
  const near = all.find(({ key }) => isTypo(name.toLowerCase(), key.toLowerCase()));
  const hint =
    near === undefined
      ? `There are: ${all.map(({ key }) => key).join(', ')}.`
      : `Did you mean "${near.key}"?`;
  throw new HostError('settings_invalid', `There is no setting "${name}". ${hint}`);
}

/** A typed value in the type of a setting; what does not fit stays text and is refused when it is saved. */
export function readSettingText({ default: example }: SettingValue, text: string): unknown {
  if (typeof example === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (typeof example === 'boolean') return { true: true, false: false }[text] ?? text;
  if (Array.isArray(example)) return text.split(/[\s,]+/).filter((each) => each !== '');
  return text;
}

/** A value as a person types it; lists as words with commas. */
export function settingText(value: SettingValue['value']): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** A change that gives a setting another value; undefined puts it back to its default. */
export function withSetting(key: SettingKey, value: unknown): (all: Settings) => Settings {
  // Values are checked when they are saved.
  return (all) => ({ ...all, [key]: value }) as Settings;
}
