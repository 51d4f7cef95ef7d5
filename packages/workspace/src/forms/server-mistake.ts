import { HostError } from '@errand/host';
import type { ServerForm } from './server-form.ts';

/** Something wrong in a form: at which of its fields, and what to write there. */
export interface FieldMistake {
  readonly field: string;
  readonly message: string;
}

/** At which field of a server's form the mistake is that kept it from being stored; nothing when it is at none. */
export function serverMistake(error: unknown, kind: ServerForm['kind']): FieldMistake | undefined {
  if (!(error instanceof HostError) || error.code !== 'settings_invalid') return undefined;
  const { path } = error.facts;
  const field = path === undefined ? undefined : fieldAt(path, kind);
  if (path === undefined || field === undefined) return undefined;
  const message = error.message.replace(`${path}: `, '').replace(' Nothing was saved.', '');
  return { field, message };
}

/** `mcpServers[2].localConfig.args[0]` is the field `command`. */
function fieldAt(path: string, kind: ServerForm['kind']): string | undefined {
  if (path === 'command') return 'command';
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
