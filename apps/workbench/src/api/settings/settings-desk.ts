import { join } from 'node:path';
import { describeProblem, type LoadedSettings, type Settings } from '@errand/host';
import type { SecretList, SettingsState, SettingsValues } from '../../contract.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

type SettingsDeskPorts = Pick<WorkbenchPorts, 'folder' | 'host' | 'settings' | 'secrets'>;

/** The settings as a page shows them, and the names of secrets. */
export class SettingsDesk {
  readonly #ports: SettingsDeskPorts;

  constructor(ports: SettingsDeskPorts) {
    this.#ports = ports;
  }

  /** What is stored now; a file that cannot be read leaves what is in force. */
  async read(signal?: AbortSignal): Promise<SettingsState> {
    const { settings, host } = this.#ports;
    try {
      return this.describe(await settings.load(signal));
    } catch (error) {
      if (signal?.aborted) throw error;
      const message = error instanceof Error ? error.message : String(error);
      return { ...this.describe({ ...host.servers.settings, problems: [] }), problems: [message] };
    }
  }

  describe({ problems, ...settings }: LoadedSettings): SettingsState {
    const file = join(this.#ports.folder, '.errand', 'settings.json');
    const describe = (problem: LoadedSettings['problems'][number]) =>
      describeProblem(problem, '.errand/settings.json');
    return { file, values: valuesOf(settings), problems: problems.map(describe) };
  }

  async secrets(): Promise<SecretList> {
    const names = await this.#ports.secrets.names();
    const text = JSON.stringify(this.#ports.host.servers.list());
    const wanted = new Set(Array.from(text.matchAll(/\$\{secret:([^}"]+)\}/g), ([, name]) => name));
    const missing = [...wanted].filter((name) => name !== undefined && !names.includes(name));
    return { names: names.toSorted(), missing: missing as string[] };
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
