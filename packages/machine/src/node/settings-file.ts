import { join } from 'node:path';
import { replaceFile, withFileLock } from '@errand/files';
import type { LoadedSettings, Settings, SettingsStore } from '@errand/host';
import { catchFaults, SettingsText } from '@errand/host';
import { backUpSettings } from './back-up-settings.ts';
import {
  explainSettings,
  locateSettings,
  mayHoldSettings,
  readSettingsText,
  type SettingsPlace,
} from './settings-access.ts';
import { settingsPlaces } from './settings-places.ts';
import { warnOfFault } from './warn-of-fault.ts';
import { watchFileText } from './watch-file-text.ts';

export interface SettingsFileOptions {
  /** The data file of Obsidian's plugin in the vault, where new settings then go. */
  readonly dataFile?: string;
}

/** The settings of a vault, whichever of its two files holds them. */
export interface SettingsFile extends SettingsStore {
  /** The plugin's data file while it holds settings too, and nobody has chosen yet; `.errand/settings.json` holds. */
  findRival(): string | undefined;
  /**
   * Makes the file of this name hold; the settings of the other become a backup beside it, whose name is
   * returned. Undefined when there is nothing to choose any more.
   */
  choose(name: string, signal?: AbortSignal): Promise<string | undefined>;
}

/**
 * The settings of the vault in a folder: in `.errand/settings.json` where that exists, else in the data file of
 * Obsidian's plugin where that exists. Without a file they are defaults.
 */
export function openSettingsFile(
  vaultFolder: string,
  { dataFile }: SettingsFileOptions = {},
): SettingsFile {
  let places = settingsPlaces(vaultFolder, dataFile);
  const inForce = (current: SettingsPlace) => places.inForce(current);
  let place = inForce(dataFile === undefined ? places.own : places.data);
  let known = new SettingsText(place.name);
  /** Whether the settings are at another place than those who watch have heard of. */
  let hasMoved = false;
  const listeners = new Set<() => void>();
  let stopLooking: (() => void) | undefined;
  /** Settles when no save is under way. */
  let saving: Promise<unknown> = Promise.resolve();

  const follow = () => {
    const now = inForce(place);
    if (now.name === place.name) return;
    place = now;
    known = new SettingsText(now.name);
    hasMoved = true;
  };

  const read = async (signal?: AbortSignal) => {
    for (;;) {
      follow();
      const seen = { place, known };
      const text = await readSettingsText(seen.place, signal);
      // Gone may mean moved.
      if (text !== undefined || inForce(seen.place).name === seen.place.name) {
        return { text, known: seen.known };
      }
    }
  };

  return {
    get name() {
      return inForce(place).name;
    },

    async load(signal) {
      if (dataFile === undefined) places = settingsPlaces(vaultFolder);
      const found = await read(signal);
      return found.known.read(found.text);
    },

    save: store,

    watch(listener) {
      listeners.add(listener);
      stopLooking ??= look();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopLooking?.();
        stopLooking = undefined;
      };
    },

    findRival,

    choose: (name, signal) => {
      const other = name === places.own.name ? places.data : places.own;
      return explainSettings(other.name, 'written', async () => {
        using own = locateSettings(places.own);
        using data = locateSettings(places.data);
        // Always in this order: two who choose at once must not wait for each other.
        const locked = (work: () => Promise<string | undefined>) =>
          withFileLock(own, () => withFileLock(data, work, signal), signal);
        return await locked(async () => {
          if (findRival() === undefined) return undefined;
          return await backUpSettings(other);
        });
      });
    },
  };

  function findRival(): string | undefined {
    const { data } = places;
    const areBoth = places.has(places.own) && places.has(data);
    return areBoth && mayHoldSettings(data) ? data.name : undefined;
  }

  function look(): () => void {
    const paths = [places.own, places.data].map(({ root, segments }) => join(root, ...segments));
    return watchFileText(paths, readBetweenSaves, (text) => {
      const isNews = known.isNews(text) || hasMoved;
      hasMoved = false;
      if (isNews) for (const listener of [...listeners]) catchFaults(listener, warnOfFault)();
    });
  }

  /** What is read while a save is under way may be the text that it replaces, which is no news. */
  async function readBetweenSaves(): Promise<string | undefined> {
    for (;;) {
      const before = saving;
      await before;
      const { text } = await read();
      if (saving === before) return text;
    }
  }

  function store(
    change: (current: Settings) => Settings,
    signal?: AbortSignal,
  ): Promise<LoadedSettings> {
    const saved = explainSettings(place.name, 'written', async () => {
      for (;;) {
        follow();
        const stored = await storeAt(place, known, change, signal);
        if (stored !== undefined) return stored;
      }
    });
    saving = Promise.allSettled([saving, saved]);
    return saved;
  }

  /** Undefined when the settings are at another place meanwhile. */
  async function storeAt(
    at: SettingsPlace,
    text: SettingsText,
    change: (current: Settings) => Settings,
    signal?: AbortSignal,
  ): Promise<LoadedSettings | undefined> {
    using file = locateSettings(at);
    const isHere = () => inForce(at).name === at.name;
    const apply = async () => {
      while (isHere()) {
        const before = await readSettingsText(at, signal);
        // Known before the write: the watcher may see the file before the write returns.
        const changed = text.change(before, change);
        signal?.throwIfAborted();
        // A person's editor knows nothing of our lock: what it saved meanwhile is changed in turn.
        const isStillWanted = async () =>
          isHere() && (await readSettingsText(at, signal)) === before;
        if (changed.text === before) return changed.settings;
        if (await replaceFile(file, changed.text, { isStillWanted })) return changed.settings;
      }
      return undefined;
    };
    return await withFileLock(file, apply, signal);
  }
}
