export {
  type AssistantDraft,
  checkAssistant,
  draftOfAssistant,
  emptyAssistant,
  keepKey,
  secretReference,
  storeAssistant,
} from './assistant-draft.ts';
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
  findRefused,
  missingSecrets,
  readStoredSettings,
  refusedSetting,
  saveSettings,
} from './stored-settings.ts';
