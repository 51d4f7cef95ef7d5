import type { Settings } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';
import { type ChangedSettings, changeSettings } from './change-settings.ts';
import { readSettings } from './read-settings.ts';
import type { SettingsProblem } from './settings-problem.ts';

const gone: SettingsProblem = {
  level: 'warning',
  path: '',
  line: 1,
  column: 1,
  message:
    'The file is gone. Errand goes on with what it held, and writes it again with the next change. Restart Errand to begin with empty settings.',
};

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

  /** The settings in a file's text; those of the last one, and a problem that says so, when the file is gone. */
  read(text: string | undefined): LoadedSettings {
    const isGone = text === undefined && this.#good !== undefined;
    // Only the first reading is the baseline: a later one must not hide a change from watchers.
    this.#seen ??= { text };
    const settings = readSettings(text ?? this.#good, this.#name);
    this.#good = text ?? this.#good;
    return isGone ? { ...settings, problems: [...settings.problems, gone] } : settings;
  }

  /** Applies a change to a file's text, in the same way. */
  change(text: string | undefined, change: (current: Settings) => Settings): ChangedSettings {
    const changed = changeSettings(text ?? this.#good, this.#name, change);
    this.#seen = { text: changed.text };
    this.#good = changed.text;
    return changed;
  }

  /** Whether a text was written by another program, and must be read. */
  isNews(text: string | undefined): boolean {
    if (text === undefined && this.#good !== undefined) return false;
    const isNews = this.#seen !== undefined && this.#seen.text !== text;
    this.#seen = { text };
    return isNews;
  }
}
