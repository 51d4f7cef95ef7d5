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
