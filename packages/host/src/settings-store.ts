import type { Settings } from './settings.ts';

/** Where a vault's settings live. Saving applies a change to what is stored now, never to a copy. */
export interface SettingsStore {
  load(signal?: AbortSignal): Promise<Settings>;
  save(change: (current: Settings) => Settings, signal?: AbortSignal): Promise<Settings>;
  /** Calls back after another writer changed the file; returns a function that stops it. */
  watch(listener: () => void): () => void;
}
