import type { Settings } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';
import { type ChangedSettings, changeSettings } from './change-settings.ts';
import { readSettings } from './read-settings.ts';

/**
 * The text of a settings file as it was last seen. It outlives the file: one that is gone may come back in
 * a moment, since that is how some programs write and sync, and until then nothing of it has changed.
 */
export class SettingsText {
  readonly #name: string;
  #seen: { readonly text: string | undefined } | undefined;
  /** The last text that could be read. */
  #good: string | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether there was a file, and it is gone now. */
  isGone(text: string | undefined): boolean {
    return text === undefined && this.#good !== undefined;
  }

  /** The settings in a file's text; those of the last one when the file is gone. */
  read(text: string | undefined): LoadedSettings {
    if (!this.isGone(text)) this.#seen = { text };
    const settings = readSettings(text ?? this.#good, this.#name);
    this.#good = text ?? this.#good;
    return settings;
  }

  /** Applies a change to a file's text, in the same way. */
  change(text: string | undefined, change: (current: Settings) => Settings): ChangedSettings {
    const changed = changeSettings(text ?? this.#good, this.#name, change);
    this.#seen = { text: changed.text };
    this.#good = changed.text;
    return changed;
  }

  /** Whether a text was written by somebody else, and is to be read. */
  isNews(text: string | undefined): boolean {
    if (this.isGone(text)) return false;
    const isNews = this.#seen !== undefined && this.#seen.text !== text;
    this.#seen = { text };
    return isNews;
  }
}
