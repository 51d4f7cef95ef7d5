import type { BrokenBinding } from '@errand/document';
import { isRecord } from '@errand/wire';
import type { SectionBinding, ServerConfig } from '../settings.ts';
import { quoted } from '../text/one-line.ts';
import { bindingsIn, brokenBinding } from './broken-bindings.ts';
import { checkEntry } from './check-entry.ts';
import type { JsonDocument } from './parse-json.ts';
import { sectionBindingSchema } from './section-binding-schema.ts';
import { formatPath, type Report, reportIssues, type SettingsPath } from './settings-problem.ts';

/** An entry that could be read. */
export interface LocatedEntry {
  readonly server: ServerConfig;
  /** Its index in `mcpServers`, counting broken entries. */
  readonly index: number;
  /** Bindings of this entry that could not be read, as they are written. */
  readonly brokenBindings: readonly unknown[];
  /** The sections that those bindings forbid. */
  readonly forbidding: readonly BrokenBinding[];
}

/** The servers of a settings file, and the bindings that forbid their sections because they cannot be used. */
interface ReadEntries {
  readonly entries: readonly LocatedEntry[];
  readonly brokenBindings: readonly BrokenBinding[];
}

/** Reads the list of servers entry by entry, so that one mistake costs one entry. */
export function readEntries(raw: unknown, document: JsonDocument, report: Report): ReadEntries {
  if (raw === undefined) return { entries: [], brokenBindings: [] };
  if (!Array.isArray(raw)) {
    if (isRecord(raw)) {
      const message = 'Write a list of servers. An object is how other programs keep them.';
      report('error', ['mcpServers'], message, { advice: [{ kind: 'import-servers' }] });
    } else report('error', ['mcpServers'], 'Write a list of servers, or [].');
    return { entries: [], brokenBindings: [] };
  }
  const entries: LocatedEntry[] = [];
  const brokenBindings: BrokenBinding[] = [];
  for (const [index, value] of raw.entries()) {
    const problems: string[] = [];
    const reportOne: Report = (level, path, message, about) => {
      if (level === 'error') problems.push(`${formatPath(path)}: ${message}`);
      report(level, path, message, about);
    };
    const entry = readEntry(value, index, entries, document, reportOne);
    if (entry !== undefined) {
      entries.push(entry);
      brokenBindings.push(...entry.forbidding);
    } else {
      brokenBindings.push(...bindingsOfBroken(value, index, document, problems[0] ?? ''));
    }
  }
  reportLostBindings(entries, report);
  return { entries, brokenBindings };
}

/** The server is left out, but its sections stay forbidden: a mistake must not open them to others. */
function bindingsOfBroken(
  raw: unknown,
  index: number,
  { repeatedKeys }: JsonDocument,
  message: string,
): readonly BrokenBinding[] {
  if (!isRecord(raw)) return [];
  const name = nameOf(raw);
  // Of duplicate keys only the last value is known.
  const isRepeated = repeatedKeys.some(
    ([list, at, key]) => list === 'mcpServers' && at === index && key === 'sectionBindings',
  );
  if (isRepeated) return [brokenBinding(undefined, message, name)];
  return bindingsIn(raw.sectionBindings).map((binding) => brokenBinding(binding, message, name));
}

function nameOf(raw: unknown): string | undefined {
  return isRecord(raw) && typeof raw.name === 'string' ? raw.name : undefined;
}

function readEntry(
  raw: unknown,
  index: number,
  before: readonly LocatedEntry[],
  document: JsonDocument,
  reportAny: Report,
): LocatedEntry | undefined {
  const path: SettingsPath = ['mcpServers', index];
  const named = nameOf(raw);
  const report: Report = (level, at, message, about) =>
    reportAny(level, at, message, { ...about, server: named });

  const repeated = document.repeatedKeys.filter((keys) => keys[0] === path[0] && keys[1] === index);
  for (const keys of repeated) {
    report('error', keys, 'The key is written twice; delete one of them.');
  }
  const others = before.map(({ server }) => server);
  const { entry: server, problems } = checkEntry(withDefaults(raw, named), others);
  for (const problem of problems) report('error', [...path, ...problem.path], problem.message);
  if (server === undefined || repeated.length > 0) return undefined;

  const { bindings, broken, forbidding } = readBindings(server, path, report);
  return {
    server: { ...server, sectionBindings: bindings },
    index,
    brokenBindings: broken,
    forbidding,
  };
}

/** An entry written by hand needs neither an id nor a container's name. */
function withDefaults(raw: unknown, name: string | undefined): unknown {
  if (!isRecord(raw) || name === undefined) return raw;
  const { dockerConfig } = raw;
  return {
    id: name,
    ...raw,
    ...(isRecord(dockerConfig) && {
      dockerConfig: { containerName: `errand-${name}`, ...dockerConfig },
    }),
  };
}

/** Such a binding stays: it forbids its section to every server, which is what it says (D7). */
function reportLostBindings(entries: readonly LocatedEntry[], report: Report): void {
  const ids = new Set(entries.map(({ server }) => server.id));
  for (const { server, index } of entries) {
    for (const [number, { serverId }] of server.sectionBindings.entries()) {
      if (ids.has(serverId)) continue;
      const path = ['mcpServers', index, 'sectionBindings', number, 'serverId'];
      const message = `No server has the id ${quoted(serverId)}; the section accepts no calls. Write the id of a server, or delete the binding.`;
      report('warning', path, message, { server: server.name });
    }
  }
}

/** The bindings of one entry. */
interface ReadBindings {
  readonly bindings: readonly SectionBinding[];
  /** Those that could not be read, as they are written. */
  readonly broken: readonly unknown[];
  /** The sections that those forbid. */
  readonly forbidding: readonly BrokenBinding[];
}

/** An entry whose bindings are yet to be read. */
interface BindingEntry {
  readonly id: string;
  readonly name: string;
  readonly sectionBindings: readonly unknown[];
}

/** Reads the bindings of an entry one by one, so that one mistake costs one binding. */
function readBindings(
  { id, name, sectionBindings }: BindingEntry,
  path: SettingsPath,
  report: Report,
): ReadBindings {
  const bindings: SectionBinding[] = [];
  const broken: unknown[] = [];
  const forbidding: BrokenBinding[] = [];
  for (const [index, value] of sectionBindings.entries()) {
    const place = [...path, 'sectionBindings', index];
    const mistakes: string[] = [];
    const reportOne: Report = (level, at, message, about) => {
      mistakes.push(`${formatPath(at)}: ${message}`);
      report(level, at, message, about);
    };
    const read = isRecord(value) ? { serverId: id, ...value } : value;
    const result = sectionBindingSchema.safeParse(read);
    if (!result.success) reportIssues(result.error, place, reportOne);
    reportStrangeKeys(value, place, reportOne);
    if (result.success && mistakes.length === 0) bindings.push(result.data);
    else {
      broken.push(value);
      forbidding.push(brokenBinding(value, mistakes[0] ?? '', name));
    }
  }
  return { bindings, broken, forbidding };
}

/** An unknown key may be a misspelt one, so its binding may not mean what it says. */
function reportStrangeKeys(binding: unknown, path: SettingsPath, report: Report): void {
  const known = Object.keys(sectionBindingSchema.shape);
  for (const key of Object.keys(isRecord(binding) ? binding : {})) {
    if (known.includes(key)) continue;
    report('error', [...path, key], `A binding has no such key. It has: ${known.join(', ')}.`);
  }
}
