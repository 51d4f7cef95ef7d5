import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type ForeignConfig,
  type ForeignServer,
  foreignConfigFiles,
  foreignPrograms,
  HostError,
  isForeignProgram,
  launchFingerprint,
  newServer,
  readForeignConfig,
  type ServerConfig,
  withChangedServer,
  withServer,
} from '@errand/host';
import { currentPlatform } from '@errand/host/node';
import { harmlessText } from '@errand/host/words';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { type OpenVault, openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { runTest } from './run-test.ts';

/** Text that somebody pasted has no program of its own. */
const programNames = Object.keys(foreignPrograms).filter((name) => name !== 'pasted');

interface ImportOptions extends CommonOptions {
  readonly disabled?: boolean;
}

/** `errand servers import`: the servers of another program, as entries of ours. */
export function importServersCommand(context: CommandContext): Command {
  return new Command('import')
    .description("Copy another program's servers; each is tested, and enabled when it works.")
    .argument('<file|program>', `a file, or one of: ${programNames.join(', ')}`)
    .option('--disabled', 'store them switched off and do not test them')
    .addHelpText(
      'after',
      '\nExamples:\n  errand servers import claude\n  errand servers import .vscode/mcp.json',
    )
    .action(async (source: string, options: ImportOptions) => {
      context.end(await importServers(source, options, context));
    });
}

async function importServers(
  source: string,
  options: ImportOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  await using vault = await openVault(options, context, personAt(terminal));
  const { servers, problems } = await readSource(source, vault, context);
  for (const problem of problems) terminal.stderr.write(`${harmlessText(problem)}\n`);
  const known = new Map(vault.host.servers.list().map((server) => [launchOf(server), server.name]));
  const there = servers.map((found) => ({ found, sameAs: known.get(launchOf(found.server)) }));
  const entries = there
    .filter(({ sameAs }) => sameAs === undefined)
    .map(({ found }) => ({ found, entry: newServer(found.server, found.server.id) }));
  await vault.settings.save(
    (settings) => entries.reduce((all, { entry }) => withServer(all, entry), settings),
    signal,
  );
  await vault.trust.agree(entries.map(({ entry }) => entry));
  const imported: Imported[] = there
    .filter(({ sameAs }) => sameAs !== undefined)
    .map((each) => ({ ...each, enabled: false }));
  for (const { found, entry } of entries) {
    // What is switched off there is not started here.
    const isTested = !options.disabled && found.server.enabled;
    if (isTested && !options.json) terminal.stderr.write(`${entry.name}\n`);
    const tested = isTested ? await runTest(entry, vault, options, context) : undefined;
    const enabled = tested !== undefined && tested.error === undefined;
    if (enabled) await enable(entry, vault, signal);
    imported.push({ found, enabled, ...(tested?.error && { error: tested.error }) });
  }
  terminal.stdout.write(options.json ? asJson(imported, problems) : describe(imported));
  const hasFailed = problems.length > 0 || imported.some(({ error }) => error !== undefined);
  return hasFailed ? exitCode.failed : exitCode.ok;
}

interface Imported {
  readonly found: ForeignServer;
  readonly enabled: boolean;
  readonly error?: HostError;
  /** The name of the entry that starts the same, because of which it was left out. */
  readonly sameAs?: string | undefined;
}

/** What an entry starts, whatever a person has allowed it since. */
function launchOf({ approval: _, ...server }: ServerConfig): string {
  return launchFingerprint(server);
}

async function enable(entry: ServerConfig, { settings }: OpenVault, signal: AbortSignal) {
  const change = (server: ServerConfig) => ({ ...server, enabled: true });
  await settings.save((current) => withChangedServer(current, entry.id, change), signal);
}

async function readSource(
  source: string,
  vault: OpenVault,
  { terminal }: CommandContext,
): Promise<ForeignConfig> {
  const platform = currentPlatform();
  const target = {
    os: platform.os,
    vaultFolder: vault.folder,
    takenNames: vault.host.servers.list().map(({ name }) => name),
  };
  if (!isForeignProgram(source) || source === 'pasted') {
    const text = await readText(resolve(terminal.cwd, source));
    if (text === undefined) throw noSuchFile(source);
    return readForeignConfig(text, { file: source }, target);
  }
  const files = foreignConfigFiles(platform, vault.folder).filter(
    ({ program }) => program === source,
  );
  for (const { path, projectFolder } of files) {
    const text = await readText(path);
    if (text === undefined) continue;
    const from = { file: path, program: source, ...(projectFolder && { projectFolder }) };
    const config = readForeignConfig(text, from, target);
    if (config.servers.length + config.problems.length > 0) return config;
  }
  const places = files.map(({ path }) => `  ${path}`).join('\n');
  throw new HostError(
    'settings_invalid',
    `${foreignPrograms[source].title} has no servers in any of its files:\n${places}`,
  );
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function noSuchFile(source: string): HostError {
  return new HostError(
    'settings_invalid',
    `There is no file ${source}. Name a file, or a program: ${programNames.join(', ')}`,
  );
}

function asJson(imported: readonly Imported[], problems: readonly string[]): string {
  const servers = imported.map(({ found, enabled, error, sameAs = null }) => ({
    name: found.server.name,
    origin: found.origin,
    notes: found.notes,
    enabled,
    sameAs,
    error: error ? { code: error.code, message: error.message } : null,
  }));
  return `${JSON.stringify({ servers, problems }, undefined, 2)}\n`;
}

function describe(imported: readonly Imported[]): string {
  if (imported.length === 0) return 'Nothing was imported.\n';
  return imported
    .map(({ found, enabled, error, sameAs }) => {
      const { server, origin, notes } = found;
      if (sameAs !== undefined) return `${origin.name}: already here, as ${sameAs}\n`;
      const name =
        origin.name === server.name ? server.name : `${server.name} (there: ${origin.name})`;
      const state = enabled
        ? 'enabled'
        : error
          ? 'disabled, because it does not work yet'
          : 'disabled';
      return `${name}: ${state}\n${notes.map((note) => `  ${note}\n`).join('')}`;
    })
    .join('');
}
