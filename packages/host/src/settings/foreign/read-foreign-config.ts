import { isRecord } from '@errand/wire';
import type { Advice } from '../../advice.ts';
import { HostError } from '../../host-error.ts';
import { oneLine, quoted } from '../../text/one-line.ts';
import { mapTexts } from '../map-texts.ts';
import { joinPath } from '../platform.ts';
import { readSettings } from '../read-settings.ts';
import { findNameMistake, suggestServerName } from '../server-name.ts';
import { serverSchema } from '../server-schema.ts';
import { describeProblem, formatPath, reportIssues } from '../settings-problem.ts';
import { findServerTable, type ServerTable } from './find-server-table.ts';
import { foreignPrograms } from './foreign-programs.ts';
import type {
  ForeignConfig,
  ForeignOrigin,
  ForeignServer,
  ForeignSource,
  ForeignTarget,
} from './foreign-server.ts';
import { mapVariables } from './map-variables.ts';
import { parseForeignText } from './parse-foreign-text.ts';
import { type ForeignLaunch, readForeignServer } from './read-foreign-server.ts';

/**
 * Reads the servers from a text of any program we know. Throws `settings_invalid` when the text cannot
 * be parsed, or when nothing in it looks like servers; one bad entry is a problem and stops no other.
 */
export function readForeignConfig(
  text: string,
  source: ForeignSource,
  target: ForeignTarget,
): ForeignConfig {
  const { file, program } = source;
  const value = parseForeignText(text, file);
  if (isRecord(value) && Array.isArray(value.mcpServers)) return readOurs(text, source, target);
  const table = findServerTable(value, target.vaultFolder, program);
  if (table !== undefined) return readTable(table, source, target);
  if (program !== undefined) return { servers: [], problems: [] };
  const known = Object.values(foreignPrograms).map(({ title }) => title);
  throw new HostError(
    'settings_invalid',
    `${file} has no MCP servers in a known format. Supported are the files of ${known.slice(0, -1).join(', ')}, and an object "mcpServers".`,
  );
}

/** What every entry of a file is read with. */
interface Reading {
  readonly table: ServerTable;
  readonly source: ForeignSource;
  readonly target: ForeignTarget;
}

function readTable(
  table: ServerTable,
  source: ForeignSource,
  target: ForeignTarget,
): ForeignConfig {
  const { program, entries, switchedOff } = table;
  const names = new Set(target.takenNames);
  const servers: ForeignServer[] = [];
  const problems: string[] = [];
  for (const [name, raw] of Object.entries(entries)) {
    const read = readForeignServer(raw, foreignPrograms[program]);
    const found =
      typeof read === 'string' ? read : adapt(name, read, names, { table, source, target });
    if (typeof found === 'string') {
      problems.push(oneLine(`${source.file}: ${quoted(name)} is left out. ${found}`));
      continue;
    }
    const { server } = found;
    names.add(server.name);
    const enabled = server.enabled && !switchedOff.has(name);
    servers.push({ ...found, server: { ...server, enabled } });
  }
  return { servers, problems };
}

/** One entry in our terms; a sentence when even then it is not what settings may hold. */
function adapt(
  nameThere: string,
  { launch, isEnabled, notes, hasLogin }: ForeignLaunch,
  names: Iterable<string>,
  { table, source, target }: Reading,
): ForeignServer | string {
  const name = suggestServerName(nameThere, names);
  const origin = originOf(table.program, nameThere, source, target);
  const allNotes = [...renamed(nameThere, name), ...notes];
  const advice: Advice[] = hasLogin ? [{ kind: 'log-in', server: name }] : [];
  const note = (text: string, help?: Advice) => {
    if (allNotes.includes(text)) return;
    allNotes.push(text);
    if (help !== undefined) advice.push(help);
  };
  const placed = inFolder(launch, source, target);
  const { env = {} } = launch.localConfig ?? {};
  const context = {
    syntax: foreignPrograms[table.program].variables,
    os: target.os,
    workspaceFolder: placed.workspaceFolder,
    secretFor: askAsSecrets(table.inputs, name, target, note),
    note,
  };
  // In "env" a name refers to our environment, elsewhere possibly to the variables of the entry.
  const mapped = mapTexts(placed.launch, (text) =>
    mapVariables(text, { ...context, ownVariables: Object.keys(env) }),
  );
  const mappedEnv = mapTexts(env, (text) => mapVariables(text, { ...context, ownVariables: [] }));
  const { localConfig } = mapped;
  const server = {
    id: `${origin.program}:${origin.file}#${origin.name}`,
    name,
    ...mapped,
    ...(localConfig?.env && { localConfig: { ...localConfig, env: mappedEnv } }),
    enabled: isEnabled,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
  const result = serverSchema.safeParse(server);
  // They quote names, questions and variables of the file.
  const lines = allNotes.map((each) => oneLine(each));
  if (result.success) return { origin, server, notes: lines, advice };
  const mistakes: string[] = [];
  reportIssues(result.error, [], (_level, path, message) =>
    mistakes.push(`${formatPath(path)}: ${message}`),
  );
  return mistakes[0] ?? '';
}

function renamed(from: string, to: string): readonly string[] {
  if (from === to) return [];
  const why = findNameMistake(from) === undefined ? 'is taken' : 'cannot be used here';
  return [`Imported as "${to}": the name ${quoted(from)} ${why}.`];
}

/** Other programs start a project's servers in the project; here relative means to the vault. */
function inFolder(
  launch: ForeignLaunch['launch'],
  { projectFolder }: ForeignSource,
  { os, vaultFolder }: ForeignTarget,
): { readonly launch: ForeignLaunch['launch']; readonly workspaceFolder: string } {
  const { localConfig } = launch;
  const project = projectFolder ?? vaultFolder;
  const isThere = localConfig?.cwd === `\${workspaceFolder}`;
  const cwd = isThere ? undefined : localConfig?.cwd;
  if (project === vaultFolder) {
    const workspaceFolder = cwd === undefined ? '.' : project;
    // Servers in the user's own files have no particular folder.
    const isInProject = isThere || (projectFolder !== undefined && cwd === undefined);
    if (localConfig === undefined || !isInProject) return { launch, workspaceFolder };
    return { launch: { ...launch, localConfig: { ...localConfig, cwd: '.' } }, workspaceFolder };
  }
  if (localConfig === undefined) return { launch, workspaceFolder: project };
  const isAbsolute = cwd !== undefined && /^([\\/~$]|[A-Za-z]:)/.test(cwd);
  const folder = cwd === undefined ? project : joinPath(os, project, cwd);
  const placed = { ...localConfig, cwd: isAbsolute ? cwd : folder };
  return { launch: { ...launch, localConfig: placed }, workspaceFolder: project };
}

function originOf(
  program: ForeignOrigin['program'],
  name: string,
  { file, projectFolder }: ForeignSource,
  { vaultFolder }: ForeignTarget,
): ForeignOrigin {
  const isFromVault = projectFolder === vaultFolder;
  return { program, file, name, ...(isFromVault && { isFromVault }) };
}

/** Another vault's servers, without what that vault's host wrote about them. */
function readOurs(text: string, source: ForeignSource, target: ForeignTarget) {
  const { file } = source;
  const { takenNames = [] } = target;
  const names = new Set(takenNames);
  const { mcpServers, problems } = readSettings(text, file);
  const servers = mcpServers.map(({ lastConnectedAt, ...entry }): ForeignServer => {
    const name = suggestServerName(entry.name, names);
    names.add(name);
    const origin = originOf('errand', entry.name, source, target);
    const id = `${origin.program}:${file}#${entry.name}`;
    const clean = { failureCount: 0, autoDisabled: false, sectionBindings: [] };
    return {
      origin,
      server: { ...entry, ...clean, id, name },
      notes: renamed(entry.name, name),
      advice: [],
    };
  });
  const errors = problems.filter(({ level }) => level === 'error');
  return { servers, problems: errors.map((problem) => describeProblem(problem, file).message) };
}

/** Makes a secret of each question that VS Code would ask, and notes how to answer it once. */
function askAsSecrets(
  inputs: readonly unknown[],
  server: string,
  { takenSecrets = [] }: ForeignTarget,
  note: (text: string, advice: Advice) => void,
): (inputId: string) => string {
  const taken = new Set(takenSecrets);
  return (inputId) => {
    const plain = inputId.replace(/[^\w.-]+/g, '-');
    const secret = taken.has(plain) ? `${server}-${plain}` : plain;
    const input = inputs.find((candidate) => isRecord(candidate) && candidate.id === inputId);
    const question = isRecord(input) ? input.description : undefined;
    const what = typeof question === 'string' ? `"${question}"` : `"${inputId}"`;
    note(`It asks for ${what}, which is the secret "${secret}" here.`, {
      kind: 'set-secret',
      name: secret,
    });
    return secret;
  };
}
