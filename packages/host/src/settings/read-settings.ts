import type { LoadedSettings } from '../settings-store.ts';
import { interpretSettings } from './interpret-settings.ts';
import { parseJson } from './parse-json.ts';

/** Settings from the text of their file; without a file, the defaults. */
export function readSettings(text: string | undefined, file: string): LoadedSettings {
  return interpretSettings(parseJson(text ?? newSettings, file), file).settings;
}

/** The text of a new settings file. */
export const newSettings = '{\n  "version": 1,\n  "mcpServers": []\n}\n';
