import { editJson, HostError, type JsonEdit, sortedJson } from '@errand/host';
import { isRecord } from '@errand/wire';
import type { Hook } from '../hook-schema.ts';
import { type LocatedHook, locateHooks } from './parse-hooks.ts';

interface ChangeOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The id of a server by its id or name. */
  readonly findServerId?: (idOrName: string) => string | undefined;
}

/**
 * The text of a file of hooks after a change, in which everything that the change does not touch stays as it was
 * written; the same text when nothing changes. Throws `settings_invalid` when a hook could not be read afterwards.
 */
export function changeHookText(
  text: string | undefined,
  change: (hooks: readonly Hook[]) => readonly Hook[],
  { now, findServerId = () => undefined }: ChangeOptions,
): string | undefined {
  const before = text ?? emptyFile;
  const { entries, list, problems } = locateHooks(before);
  if (list === 'unreadable') throw unreadable(problems[0]);
  const wanted = change(entries.map(({ hook }) => hook)).map((hook) =>
    withServerIds(hook, findServerId),
  );
  const edits = editsFor(entries, wanted, list === 'missing', now);
  if (edits.length === 0) return text;
  const after = editJson(before, edits);
  refuseUnreadable(wanted, after);
  return after;
}

const emptyFile = '{\n  "version": 1,\n  "hooks": []\n}\n';

function editsFor(
  entries: readonly LocatedHook[],
  wanted: readonly Hook[],
  isListMissing: boolean,
  now: number,
): readonly JsonEdit[] {
  const byId = new Map(entries.map((entry) => [entry.hook.id, entry]));
  const added = wanted
    .filter(({ id }) => !byId.has(id))
    .map(({ id, name, ...hook }) => ({
      id,
      name,
      ...hook,
      createdAt: hook.createdAt || now,
      modifiedAt: now,
    }));
  const changed = wanted.flatMap((hook) => {
    const entry = byId.get(hook.id);
    if (entry === undefined || sortedJson(entry.hook) === sortedJson(hook)) return [];
    return differences(['hooks', entry.index], entry.hook, { ...hook, modifiedAt: now });
  });
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = entries.filter(({ hook }) => !kept.has(hook.id));
  return [
    ...changed,
    // From the end, so that earlier indexes stay valid.
    ...removed.toReversed().map(({ index }) => ({ path: ['hooks', index], value: undefined })),
    ...(isListMissing
      ? added.length === 0
        ? []
        : [{ path: ['hooks'], value: added }]
      : added.map((value) => ({ path: ['hooks', -1], value }))),
  ];
}

/** The edits that turn one value into another; a list keeps its elements as they are written while it is as long. */
function differences(path: JsonEdit['path'], before: unknown, after: unknown): readonly JsonEdit[] {
  if (sortedJson(before) === sortedJson(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((part, index) => differences([...path, index], part, after[index]));
  }
  if (!isRecord(before) || !isRecord(after) || before.type !== after.type) {
    return [{ path, value: after }];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences([...path, key], before[key], after[key]),
  );
}

/** A hook that names a server by its name has its id instead, which survives a rename. */
function withServerIds(hook: Hook, findServerId: (idOrName: string) => string | undefined): Hook {
  const actions = hook.actions.map((action) => {
    if (action.type !== 'mcp') return action;
    const serverId = findServerId(action.parameters.serverId) ?? action.parameters.serverId;
    return { ...action, parameters: { ...action.parameters, serverId } };
  });
  return { ...hook, actions };
}

function refuseUnreadable(wanted: readonly Hook[], text: string): void {
  const { entries, problems } = locateHooks(text);
  const ids = new Set(entries.map(({ hook }) => hook.id));
  const lost = wanted.find(({ id }) => !ids.has(id));
  if (lost === undefined && new Set(wanted.map(({ id }) => id)).size === wanted.length) return;
  const problem = problems.find(({ hookId }) => hookId === lost?.id);
  const why = problem?.message ?? 'Two hooks have one id.';
  throw new HostError('settings_invalid', `Hook "${lost?.name ?? ''}": ${why} Nothing was saved.`);
}

function unreadable(problem: ReturnType<typeof locateHooks>['problems'][number] | undefined) {
  const { line = 1, column = 1, message = '' } = problem ?? {};
  return new HostError(
    'settings_invalid',
    `.errand/hooks.json, line ${line}, column ${column}: ${message} The file was left as it is.`,
    { line, column },
  );
}
