import type { BrokenBinding } from '@errand/document';
import type { SettingsProblem } from './settings/settings-problem.ts';
import type { Settings } from './settings.ts';

/**
 * Where a vault's settings live. Saving applies a change to what is stored now, never to a copy. A file
 * that is gone counts as it was last read, until it is back or the store is opened anew.
 */
export interface SettingsStore {
  /** What a person calls the file that holds them now, as a path in the vault. */
  readonly name: string;
  /** Has no effect on what `watch` tells. Rejects with `settings_invalid` when nothing can be read; a bad entry is a problem instead. */
  load(signal?: AbortSignal): Promise<LoadedSettings>;
  /** Rejects with `settings_invalid`, and stores nothing, when the change would break an entry. */
  save(change: (current: Settings) => Settings, signal?: AbortSignal): Promise<LoadedSettings>;
  /** Calls back after another writer changed the file; returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** Settings with what was wrong in them: broken entries are left out, broken values replaced. */
export interface LoadedSettings extends Settings {
  readonly problems: readonly SettingsProblem[];
  /** Bindings that cannot be used, of broken entries too: they still forbid the sections they name. */
  readonly brokenBindings: readonly BrokenBinding[];
}
