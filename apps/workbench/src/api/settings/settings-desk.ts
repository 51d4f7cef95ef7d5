import { join } from 'node:path';
import {
  describeProblem,
  HostError,
  type LoadedSettings,
  namedSecrets,
  readSettings,
  type Settings,
} from '@errand/host';
import { readSettingsText } from '@errand/machine/node';
import type { SecretList, SettingsState, SettingsValues } from '../../contract.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

type SettingsDeskPorts = Pick<WorkbenchPorts, 'folder' | 'host' | 'secrets'>;

const shownName = '.errand/settings.json';

/** The settings as a page shows them, and the names of secrets. */
export class SettingsDesk {
  readonly #ports: SettingsDeskPorts;
  #told = '';

  constructor(ports: SettingsDeskPorts) {
    this.#ports = ports;
  }

  /** What is stored now; a file that cannot be read leaves what is in force. */
  async read(signal?: AbortSignal): Promise<SettingsState> {
    try {
      // Not through the host's own store: what that has read is no longer news to the host.
      return this.describe(
        readSettings(await readSettingsText(this.#ports.folder, signal), shownName),
      );
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const inForce = this.describe({ ...this.#ports.host.servers.settings, problems: [] });
      return { ...inForce, problems: [error.message] };
    }
  }

  describe({ problems, ...settings }: LoadedSettings): SettingsState {
    const file = join(this.#ports.folder, shownName);
    const describe = (problem: LoadedSettings['problems'][number]) =>
      describeProblem(problem, shownName);
    return { file, values: valuesOf(settings), problems: problems.map(describe) };
  }

  /** What is stored now, if it is another than what was told last. */
  async readNews(): Promise<SettingsState | undefined> {
    const state = await this.read();
    const text = JSON.stringify(state);
    if (text === this.#told) return undefined;
    this.#told = text;
    return state;
  }

  async secrets(): Promise<SecretList> {
    const names = await this.#ports.secrets.names();
    const wanted = namedSecrets(this.#ports.host.servers.settings);
    return { names: names.toSorted(), missing: wanted.filter((name) => !names.includes(name)) };
  }
}

function valuesOf(settings: Settings): SettingsValues {
  const { mcpGlobalTimeout, mcpConcurrentLimit, mcpSessionLimit, onError } = settings;
  const { attachmentsFolder, logParameters, logDays, logMegabytes } = settings;
  return {
    mcpGlobalTimeout,
    mcpConcurrentLimit,
    mcpSessionLimit,
    onError,
    attachmentsFolder,
    logParameters,
    logDays,
    logMegabytes,
  };
}
