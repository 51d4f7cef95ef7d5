import type { BrokenServer, NoteContext } from '@errand/document';
import { HostError } from '../host-error.ts';
import { findNameMistake } from '../settings/server-name.ts';
import { describeProblem, type SettingsProblem } from '../settings/settings-problem.ts';
import { documentPathsOf } from '../settings/unmatched-paths.ts';
import type { ServerConfig } from '../settings.ts';
import type { LoadedSettings } from '../settings-store.ts';

/** What a note must know, with the whole entries of its servers. */
export interface HostNoteContext extends NoteContext {
  readonly servers: readonly ServerConfig[];
  readonly documentPath: string;
}

/** A server by its id, or by its name ignoring case. */
export function findServer(
  { mcpServers }: Pick<LoadedSettings, 'mcpServers'>,
  idOrName: string,
): ServerConfig | undefined {
  const name = idOrName.toLowerCase();
  return (
    mcpServers.find(({ id }) => id === idOrName) ??
    mcpServers.find((server) => server.name.toLowerCase() === name)
  );
}

/** Names of servers whose entries cannot be read, each with the first mistake and its place. */
export function brokenServersOf({
  mcpServers,
  problems,
}: Pick<LoadedSettings, 'mcpServers' | 'problems'>): readonly BrokenServer[] {
  const names = mcpServers.map(({ name }) => name);
  const broken = new Map<string, SettingsProblem>();
  for (const problem of problems) {
    const { level, server = '' } = problem;
    // A name that may not be used is no language of ours: entries called "python" must not claim Python code.
    if (level !== 'error' || findNameMistake(server, names) !== undefined) continue;
    if (!broken.has(server)) broken.set(server, problem);
  }
  return [...broken].map(([name, problem]) => {
    const { message } = describeProblem(problem, problem.file ?? 'settings');
    return { name, message: `The settings entry of "${name}" cannot be read. ${message}` };
  });
}

/** What the settings say to a note: its servers, and the bindings that hold or forbid there. */
export function noteContextOf(
  settings: LoadedSettings,
  documentPath: string,
  realNotePath: (path: string) => string | undefined,
): HostNoteContext {
  const { mcpServers: servers, brokenBindings } = settings;
  const brokenServers = brokenServersOf(settings);
  const context = { servers, brokenBindings, brokenServers, documentPath };
  // Only bindings for some notes depend on the path, and most vaults have none.
  if (documentPathsOf(settings).length === 0) return context;
  const realPath = realNotePath(documentPath);
  return realPath === undefined ? context : { ...context, realPath };
}

/** The failure of whoever names a server that is not registered. */
export function unknownServer(name: string, known: readonly string[]): HostError {
  const others = known.length > 0 ? `Registered: ${known.join(', ')}.` : 'None is registered yet.';
  return new HostError(
    'server_unknown',
    `Server not found: ${name}. ${others}`,
    { server: name, neverSent: true },
    { advice: [{ kind: 'add-server' }] },
  );
}
