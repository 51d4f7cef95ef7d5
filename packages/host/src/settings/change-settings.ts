import { isRecord } from '@errand/wire';
import { HostError } from '../host-error.ts';
import type { ServerConfig, Settings } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';
import { diffJson, editJson, type JsonEdit } from './edit-json.ts';
import { interpretSettings } from './interpret-settings.ts';
import { parseJson } from './parse-json.ts';
import type { LocatedEntry } from './read-entries.ts';
import { newSettings } from './read-settings.ts';
import type { SettingsProblem } from './settings-problem.ts';

/** A settings file's text after a change, and what it says. */
export interface ChangedSettings {
  readonly text: string;
  readonly settings: LoadedSettings;
}

/**
 * Applies a change to a settings file's text. What the change does not touch stays as it is written:
 * formatting, order, unknown keys, broken entries. Throws when the change would break something.
 */
export function changeSettings(
  text: string | undefined,
  file: string,
  change: (current: Settings) => Settings,
): ChangedSettings {
  const before = text ?? newSettings;
  const current = interpret(before, file);
  const next = change(current.settings);
  const edited = editJson(before, [
    ...diffJson([], withoutServers(current.settings), withoutServers(next)),
    ...serverEdits(current.list, current.entries, next.mcpServers),
  ]);
  const after = interpret(edited, file);
  const ordered = inOrder(edited, after, next.mcpServers);
  const { settings } = ordered === edited ? after : interpret(ordered, file);
  refuseNewErrors(current.settings.problems, settings.problems);
  return { text: ordered, settings };
}

function interpret(text: string, file: string) {
  const document = parseJson(text, file);
  const list = isRecord(document.value) ? document.value.mcpServers : undefined;
  return { ...interpretSettings(document, file), list };
}

function withoutServers(settings: Partial<LoadedSettings>) {
  const { version, mcpServers, problems, brokenBindings, ...values } = settings;
  return values;
}

function serverEdits(
  list: unknown,
  entries: readonly LocatedEntry[],
  wanted: readonly ServerConfig[],
): JsonEdit[] {
  const byId = new Map(entries.map((entry) => [entry.server.id, entry]));
  const added = wanted.filter((server) => !byId.has(server.id));
  if (!Array.isArray(list)) {
    if (added.length === 0) return [];
    if (list === undefined) return [{ path: ['mcpServers'], value: added }];
    throw new HostError(
      'settings_invalid',
      'A server cannot be added while "mcpServers" is not a list. Fix it in the settings file first.',
      { path: 'mcpServers' },
    );
  }
  const changed = wanted.flatMap((server) => {
    const entry = byId.get(server.id);
    return entry === undefined ? [] : entryEdits(entry, server, list[entry.index]);
  });
  const removed = entries.filter(({ server }) => !wanted.some(({ id }) => id === server.id));
  return [
    ...changed,
    // From the end, so that earlier indexes stay valid.
    ...removed.reverse().map(({ index }) => ({ path: ['mcpServers', index], value: undefined })),
    ...added.map((value) => ({ path: ['mcpServers', -1], value })),
  ];
}

function entryEdits(entry: LocatedEntry, wanted: ServerConfig, raw: unknown): JsonEdit[] {
  const path = ['mcpServers', entry.index];
  const edits = diffJson(path, entry.server, wanted).map((edit) =>
    edit.path.at(-1) === 'sectionBindings'
      ? { ...edit, value: [...wanted.sectionBindings, ...entry.brokenBindings] }
      : edit,
  );
  // An id derived from the name must survive a rename.
  const needsId = edits.length > 0 && isRecord(raw) && raw.id === undefined;
  return needsId ? [...edits, { path: [...path, 'id'], value: wanted.id }] : edits;
}

/** Moves entries only when their order was changed; broken ones then follow the others. */
function inOrder(
  text: string,
  { list, entries }: ReturnType<typeof interpret>,
  wanted: readonly ServerConfig[],
): string {
  const ids = wanted.map(({ id }) => id);
  if (!Array.isArray(list) || entries.every(({ server }, at) => server.id === ids[at])) return text;
  const places = ids.flatMap((id) => entries.find(({ server }) => server.id === id)?.index ?? []);
  const others = [...list.keys()].filter((index) => !places.includes(index));
  const value = [...places, ...others].map((index) => list[index]);
  return editJson(text, [{ path: ['mcpServers'], value }]);
}

function refuseNewErrors(
  before: readonly SettingsProblem[],
  after: readonly SettingsProblem[],
): void {
  // Entries move when another is removed, so their places do not tell old problems from new ones.
  const key = ({ path, message }: SettingsProblem) => path.replace(/\[\d+\]/g, '[]') + message;
  const known = new Set(before.map(key));
  const fresh = after.find((problem) => problem.level === 'error' && !known.has(key(problem)));
  if (fresh === undefined) return;
  const { path, message, server, advice = [] } = fresh;
  throw new HostError(
    'settings_invalid',
    `${path}: ${message} Nothing was saved.`,
    { path, detail: message, ...(server !== undefined && { server }) },
    { advice },
  );
}
