import {
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
  store: Pick<SettingsStore, 'load'>,
  file: string,
  signal?: AbortSignal,
): Promise<StoredSettings> {
  try {
    const settings = await store.load(signal);
    return { settings, problems: settings.problems.map((each) => describeProblem(each, file)) };
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
