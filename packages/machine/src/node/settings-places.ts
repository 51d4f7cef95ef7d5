import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mayHoldSettings, type SettingsPlace } from './settings-access.ts';

/** The places that the settings of one vault can be at. */
export interface SettingsPlaces {
  /** `.errand/settings.json`. */
  readonly own: SettingsPlace;
  /** The data file of Obsidian's plugin, whether it exists or not. */
  readonly data: SettingsPlace;
  has(place: SettingsPlace): boolean;
  /**
   * The place in force. While neither file exists, it is the one given; a file that is gone may come back, and
   * a data file without settings does not take its place.
   */
  inForce(current: SettingsPlace): SettingsPlace;
}

const ownName = '.errand/settings.json';
const inConfigFolder = 'plugins/errand/data.json';

/** Finds the places of a vault; without the path of the plugin's data file it is looked for. */
export function settingsPlaces(vaultFolder: string, dataFile?: string): SettingsPlaces {
  const own = { name: ownName, root: vaultFolder, segments: ownName.split('/') };
  const data = dataFile === undefined ? findDataFile(vaultFolder) : dataIn(vaultFolder, dataFile);
  return {
    own,
    data,
    has,
    inForce(current) {
      if (has(own)) return own;
      if (!has(data)) return current;
      return current.name === data.name || mayHoldSettings(data) ? data : current;
    },
  };
}

/** In Obsidian its folder may be a link: many people share one among their vaults. */
function dataIn(vaultFolder: string, name: string): SettingsPlace {
  return { name, root: join(vaultFolder, dirname(name)), segments: name.split('/').slice(-1) };
}

/** Obsidian's folder is `.obsidian` unless a person chose another hidden one. */
function findDataFile(vaultFolder: string): SettingsPlace {
  const placeIn = (folder: string) => {
    const name = `${folder}/${inConfigFolder}`;
    return { name, root: vaultFolder, segments: name.split('/') };
  };
  const usual = placeIn('.obsidian');
  if (has(usual) || exists(join(vaultFolder, ownName))) return usual;
  return hiddenFolders(vaultFolder).map(placeIn).find(has) ?? usual;
}

function hiddenFolders(vaultFolder: string): readonly string[] {
  try {
    return readdirSync(vaultFolder)
      .filter((name) => name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}

function has({ root, segments }: SettingsPlace): boolean {
  return exists(join(root, ...segments));
}

/** A link counts, wherever it leads: what it leads to is judged when it is read. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
