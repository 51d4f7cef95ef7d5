import { mapTexts } from '@errand/host';
import type { HookEvent } from '../hook-event.ts';
import type { Hook } from '../hook-schema.ts';
import { fieldPath, readField } from './read-field.ts';

/** What the common fields are read from. */
export interface ContextPorts {
  readonly workspacePath: string;
  /** What `git` writes in the workspace for these arguments; undefined when it fails. */
  git(args: readonly string[]): Promise<string | undefined>;
}

/** The fields that every event has, whatever its kind; null where it has no such thing. */
export const commonFields = [
  'feature',
  'branch',
  'timestamp',
  'user',
  'triggerType',
  'workspacePath',
  'repoOwner',
  'repoName',
  'specId',
  'specPath',
  'filePath',
  'fileName',
  'operation',
  'agentOutput',
  'oldStatus',
  'newStatus',
  'outputPath',
] as const;

/** The first names of all fields that a hook's conditions, mappings and templates mention. */
export function neededFields(hook: Hook): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (path: string) => needed.add(fieldPath(path)[0] ?? path);
  for (const { field } of hook.conditions) add(field);
  for (const { type, parameters } of hook.actions) {
    if (type === 'mcp') {
      for (const { source, value } of parameters.parameterMappings) {
        if (source === 'context') add(value);
      }
    }
    // Without a repository of its own, an action means that of the vault.
    if (type === 'github' && parameters.repository === undefined) add('repoOwner').add('repoName');
    mapTexts(parameters, (text) => {
      for (const name of namesIn(text)) needed.add(name);
      return text;
    });
  }
  return needed;
}

/** The names that the expressions of a template begin with; names of filters and properties are left out. */
function namesIn(template: string): readonly string[] {
  const expressions = template.split('{{').slice(1);
  return expressions.flatMap((expression) => {
    const [inner = ''] = expression.split('}}', 1);
    const bare = inner.replace(/"[^"]*"|'[^']*'/g, ' ').replace(/\|\s*\w+/g, ' ');
    return bare.match(/(?<![\p{L}\p{N}_.-])[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
  });
}

/** The fields of an event that are needed; what is not needed is not collected. */
export async function contextFields(
  event: HookEvent,
  needed: ReadonlySet<string>,
  ports: ContextPorts,
): Promise<Record<string, unknown>> {
  const common: Readonly<Record<string, Collector>> = collectors(event, ports);
  const entries = [...needed].map(async (name) => {
    const told = Object.hasOwn(event.fields, name) ? event.fields[name] : undefined;
    if (told !== undefined) return [[name, told]] as const;
    if (!Object.hasOwn(common, name)) return [];
    return [[name, (await common[name]?.()) ?? null]] as const;
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

type Collector = () => unknown;

function collectors(event: HookEvent, { workspacePath, git }: ContextPorts) {
  const line = async (...args: string[]) => (await git(args))?.trim() || undefined;
  const text = (path: string) => {
    const value = readField(event.fields, path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const once = <Value>(collect: () => Promise<Value>) => {
    let value: Promise<Value> | undefined;
    return () => (value ??= collect());
  };
  const branch = once(
    async () =>
      text('branch') ?? text('git.branch') ?? line('symbolic-ref', '--short', '--quiet', 'HEAD'),
  );
  const repository = once(async () =>
    repositoryOf((await line('remote', 'get-url', 'origin')) ?? ''),
  );
  const filePath = () => text('filePath') ?? text('file.path');
  const spec = () => specPattern.exec(text('specPath') ?? filePath() ?? '');
  const told = Object.fromEntries(commonFields.map((name) => [name, () => text(name)]));
  return {
    ...told,
    branch,
    feature: async () => featurePattern.exec((await branch()) ?? '')?.[1],
    timestamp: () => new Date(event.at).toISOString(),
    user: () => line('config', 'user.name'),
    triggerType: () => event.kind,
    workspacePath: () => workspacePath,
    repoOwner: async () => (await repository())?.owner,
    repoName: async () => (await repository())?.name,
    specId: () => spec()?.[2],
    specPath: () => spec()?.[1],
    filePath,
    fileName: () => filePath()?.split(/[\\/]/).at(-1),
  };
}

/** SpecKit's branches are `012-name`, some with a folder before. */
const featurePattern = /^(?:.*\/)?\d{3,}-(.+)$/;

/** The folder of a specification of SpecKit or a change of OpenSpec, and its name. */
const specPattern = /(?:^|[\\/])((?:specs|openspec[\\/]changes)[\\/]([^\\/]+))(?:[\\/]|$)/;

/** Owner and name from the address of a remote; credentials in it are left out. */
function repositoryOf(url: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner, name] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}
