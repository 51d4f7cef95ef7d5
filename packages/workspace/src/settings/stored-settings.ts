import {
  changeSettings,
  describeProblem,
  type ErrorInfo,
  type Host,
  HostError,
  type LoadedSettings,
  namedSecrets,
  type Settings,
  type SettingsStore,
} from '@errand/host';

/** The settings of a vault as they are stored now. */
interface StoredSettings {
  /** Undefined when nothing can be read. */
  readonly settings: LoadedSettings | undefined;
  /** One line each, which names the place in the file. */
  readonly problems: readonly Pick<ErrorInfo, 'message' | 'advice'>[];
}

/** Reads what is stored, also when it is not in force yet; settings that cannot be read are a problem. */
export async function readStoredSettings(
  store: Pick<SettingsStore, 'load' | 'name'>,
  signal?: AbortSignal,
): Promise<StoredSettings> {
  try {
    const settings = await store.load(signal);
    return {
      settings,
      problems: settings.problems.map((each) => describeProblem(each, store.name)),
    };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { settings: undefined, problems: [{ message: error.message, advice: error.advice }] };
  }
}

/** Saves a change of what is stored now, and puts it into force at once. */
export async function saveSettings(
  ports: { readonly settings: SettingsStore; readonly host: Pick<Host, 'servers'> },
  change: (current: Settings) => Settings,
  signal?: AbortSignal,
): Promise<LoadedSettings> {
  const saved = await ports.settings.save(change, signal);
  ports.host.servers.apply(saved);
  return saved;
}

/** The secrets that the settings name and that are not among the given names. */
export function missingSecrets(settings: Settings, names: readonly string[]): readonly string[] {
  return namedSecrets(settings).filter((name) => !names.includes(name));
}

/** A setting that cannot be stored, and why. */
export interface RefusedSetting extends Pick<ErrorInfo, 'message' | 'advice'> {
  /** Its place in the settings, such as `assistants[0].model`. */
  readonly path: string;
}

/** The setting because of which a change was refused; undefined for any other failure. */
export function refusedSetting(error: unknown): RefusedSetting | undefined {
  if (!(error instanceof HostError) || error.facts.path === undefined) return undefined;
  const { path, detail: message = error.message } = error.facts;
  return { path, message, advice: error.advice };
}

/**
 * What would be refused in a change of the settings; its path is the last name of its place, such as `model` for
 * `assistants[0].model`. Nothing is stored.
 */
export function findRefused(
  change: (settings: Settings) => Settings,
  fallback: string,
): RefusedSetting | undefined {
  try {
    changeSettings(undefined, 'settings', change);
    return undefined;
  } catch (error) {
    const refused = refusedSetting(error);
    if (refused === undefined) throw error;
    return { ...refused, path: /\.(\w+)$/.exec(refused.path)?.[1] ?? fallback };
  }
}
