import { rename, writeFile } from 'node:fs/promises';
import { type OpenFolder, replaceFile } from '@errand/files';
import { withoutSettings } from '@errand/host';
import {
  locateSettings,
  readSettingsText,
  type SettingsPlace,
  settingsEntry,
} from './settings-access.ts';

/** Moves the settings of a file into a backup beside it, and keeps what else is in it; returns the backup's name. */
export async function backUpSettings(place: SettingsPlace): Promise<string> {
  const text = (await readSettingsText(place)) ?? '';
  const rest = withoutSettings(text, place.name);
  using entry = settingsEntry(place);
  const backup = freeName(entry.folder, entry.name);
  if (rest === undefined) await rename(entry.folder.at(entry.name), entry.folder.at(backup));
  else {
    await writeFile(entry.folder.at(backup), text, { flag: 'wx' });
    using file = locateSettings(place);
    await replaceFile(file, rest);
  }
  return place.name.replace(/[^/]+$/, () => backup);
}

/** A name with the date of today that no file has. */
function freeName(folder: OpenFolder, name: string): string {
  const dated = `${name}.bak-${new Date().toISOString().slice(0, 10)}`;
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? dated : `${dated}-${count}`;
    if (folder.find(candidate) === undefined) return candidate;
  }
}
