export {
  findSetting,
  listSettings,
  readSettingText,
  type SettingKey,
  type SettingValue,
  settingText,
  withSetting,
} from './setting-text.ts';
export {
  type FieldErrors,
  readDraft,
  type SettingName,
  type SettingsDraft,
  type SettingsValues,
  textOf,
  valuesOf,
  withoutSame,
} from './settings-draft.ts';
export {
  missingSecrets,
  readStoredSettings,
  refusedSetting,
  saveSettings,
} from './stored-settings.ts';
