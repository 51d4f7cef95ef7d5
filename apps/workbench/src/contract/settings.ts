import type { SettingsValues } from '@errand/workspace/settings';
import type { Failure } from './failure.ts';

export type { SettingsValues } from '@errand/workspace/settings';

export interface SettingsState {
  /** `.errand/settings.json`, in full. */
  readonly file: string;
  readonly values: SettingsValues;
  /** What is wrong in the file, one line each. */
  readonly problems: readonly Pick<Failure, 'message' | 'advice'>[];
}

export interface SecretList {
  /** Never their values. */
  readonly names: readonly string[];
  /** Named by the settings and not set. */
  readonly missing: readonly string[];
}
