import { HostError, type LoadedSettings, type Settings } from '@errand/host';
import type { ServerForm } from '../../contract.ts';
import { ApiError } from '../http/api-error.ts';
import type { WorkbenchPorts } from '../workbench-ports.ts';

/** Saves a change of the settings and lets it take effect at once. */
export async function saveSettings(
  { settings, host }: Pick<WorkbenchPorts, 'settings' | 'host'>,
  change: (current: Settings) => Settings,
  signal: AbortSignal,
): Promise<LoadedSettings> {
  const saved = await settings.save(change, signal);
  host.servers.apply(saved);
  return saved;
}

/** Does what may find a mistake in a form, and says at which of its fields it is. */
export async function explainAtField<Result>(
  form: ServerForm,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'settings_invalid') throw error;
    const { path } = error.facts;
    const field = path === undefined ? undefined : fieldAt(path, form.kind);
    if (path === undefined || field === undefined) throw error;
    const message = error.message.replace(`${path}: `, '').replace(' Nothing was saved.', '');
    throw new ApiError('invalid_input', message, { fields: { [field]: message } });
  }
}

/** `mcpServers[2].localConfig.args[0]` is the field `command`. */
function fieldAt(path: string, kind: ServerForm['kind']): string | undefined {
  const [, rest] = /^mcpServers\[\d+\]\.?(.*)$/.exec(path) ?? [];
  if (rest === undefined) return undefined;
  const names = rest.split(/[.[\]]+/).filter(Boolean);
  const isConfig = /Config$/.test(names[0] ?? '');
  const name = (isConfig ? names[1] : names[0]) ?? '';
  return fields[name] ?? mainFields[kind];
}

const fields: Readonly<Record<string, string>> = {
  name: 'name',
  approval: 'approval',
  timeout: 'timeout',
  env: 'env',
  cwd: 'cwd',
  path: 'path',
  ports: 'port',
  memory: 'memory',
  headers: 'headers',
  containerName: 'name',
};

const mainFields: Readonly<Record<ServerForm['kind'], string>> = {
  command: 'command',
  image: 'image',
  url: 'url',
};
