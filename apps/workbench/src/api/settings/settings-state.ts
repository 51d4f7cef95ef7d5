import { join } from 'node:path';
import { describeProblem, type LoadedSettings } from '@errand/host';
import { missingSecrets, readStoredSettings, valuesOf } from '@errand/workspace/settings';
import type { SecretList, SettingsState } from '../../contract.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

/** What is stored now, for a page; a file that cannot be read leaves the values in force. */
export async function readSettingsState(
  { folder, host, settings }: Pick<WorkbenchPorts, 'folder' | 'host' | 'settings'>,
  signal?: AbortSignal,
): Promise<SettingsState> {
  const stored = await readStoredSettings(settings, signal);
  const values = valuesOf(stored.settings ?? host.servers.settings);
  return { file: join(folder, settings.name), values, problems: stored.problems };
}

/** Saved settings, for a page. */
export function settingsState(
  { folder, settings }: Pick<WorkbenchPorts, 'folder' | 'settings'>,
  saved: LoadedSettings,
): SettingsState {
  const problems = saved.problems.map((problem) => describeProblem(problem, settings.name));
  return { file: join(folder, settings.name), values: valuesOf(saved), problems };
}

/** The names of the secrets, and those that are named and not set. */
export async function listSecrets({
  secrets,
  host,
}: Pick<WorkbenchPorts, 'secrets' | 'host'>): Promise<SecretList> {
  const names = await secrets.names();
  return { names: names.toSorted(), missing: missingSecrets(host.servers.settings, names) };
}
