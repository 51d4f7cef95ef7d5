import type { SettingsValues } from '@errand/workspace/settings';
import type { Failure } from './failure.ts';

export type { SettingsValues } from '@errand/workspace/settings';

export interface SettingsState {
  /** The full path of the settings file. */
  readonly file: string;
  readonly values: SettingsValues;
  /** What is wrong in the file, one line each. */
  readonly problems: readonly Pick<Failure, 'message' | 'advice'>[];
}

export interface SecretList {
  /** The names only; values are never sent. */
  readonly names: readonly string[];
  /** Names that the settings refer to and that have no value. */
  readonly missing: readonly string[];
}
