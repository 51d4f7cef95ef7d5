import { isRecord } from '@errand/wire';
import { type ForeignProgramName, foreignPrograms } from './foreign-programs.ts';

/** The part of a file that lists servers. */
export interface ServerTable {
  readonly program: ForeignProgramName;
  readonly entries: Readonly<Record<string, unknown>>;
  /** Questions that VS Code asks before a server starts. */
  readonly inputs: readonly unknown[];
  /** Names that another part of the file switches off. */
  readonly switchedOff: ReadonlySet<string>;
}

/** Finds the servers in a file, by the program whose file it is or else by how it looks. */
export function findServerTable(
  value: unknown,
  vaultFolder: string,
  program?: ForeignProgramName,
): ServerTable | undefined {
  const file = program === undefined ? wrapped(value) : value;
  for (const name of program === undefined ? guesses(file) : [program, ...guesses(file)]) {
    for (const place of foreignPrograms[name].places) {
      const entries = at(file, place);
      // Claude Code keeps a project's own servers in the user's file, by the folder.
      const project = at(file, ['projects', vaultFolder]);
      const ofProject = recordAt(project, ['mcpServers']);
      if (!isRecord(entries) && Object.keys(ofProject).length === 0) continue;
      const all = { ...(isRecord(entries) && entries), ...ofProject };
      return {
        program: name,
        entries: all,
        inputs: listAt(file, [...place.slice(0, -1), 'inputs']),
        switchedOff: new Set([
          ...listAt(project, ['disabledMcpServers']),
          ...namesOffInGemini(file, Object.keys(all)),
        ]),
      };
    }
  }
  return undefined;
}

/** Manuals show a single entry, or entries by name, without the surrounding object. */
function wrapped(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (looksLikeEntry(value)) return { mcpServers: { server: value } };
  const parts = Object.values(value);
  return parts.length > 0 && parts.every(looksLikeEntry) ? { mcpServers: value } : value;
}

function looksLikeEntry(value: unknown): boolean {
  return (
    isRecord(value) &&
    ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => typeof value[field] === 'string')
  );
}

/** Programs whose file a value may be. */
function guesses(value: unknown): readonly ForeignProgramName[] {
  const entries = Object.values(recordAt(value, ['mcpServers'])).filter(isRecord);
  if (isRecord(at(value, ['projects']))) return ['claude-code'];
  if (entries.some((entry) => 'httpUrl' in entry)) return ['gemini'];
  if (entries.some((entry) => 'serverUrl' in entry)) return ['windsurf'];
  return ['vscode', 'zed', 'codex', 'pasted'];
}

function namesOffInGemini(value: unknown, names: readonly string[]): readonly string[] {
  const excluded = listAt(value, ['mcp', 'excluded']);
  const allowed = at(value, ['mcp', 'allowed']);
  return names.filter(
    (name) => excluded.includes(name) || (Array.isArray(allowed) && !allowed.includes(name)),
  );
}

function recordAt(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const found = at(value, path);
  return isRecord(found) ? found : {};
}

function listAt(value: unknown, path: readonly string[]): readonly string[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), value);
}
