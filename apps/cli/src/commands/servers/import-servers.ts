import { briefFailure, foreignName, HostError, oneLine, type ShownLaunch } from '@errand/host';
import { renderAdvice } from '@errand/workspace/advice';
import { type ImportableServer, planImport, storeImport } from '@errand/workspace/servers';
import { Command } from 'commander';
import { terminalAdvice } from '../../advice.ts';
import { confirm } from '../../ask.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { messageText } from '../../message-text.ts';
import { type OpenVault, openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';
import { keepsSecrets, type SecretOptions, withSecretOptions } from './keep-secrets.ts';
import { describeBrought, importedPrograms, readImport } from './read-import.ts';
import { runTest } from './run-test.ts';

interface ImportOptions extends CommonOptions, SecretOptions {
  readonly disabled?: boolean;
  readonly yes?: boolean;
}

/** `errand servers import`: the servers of another program, as entries of ours. */
export function importServersCommand(context: CommandContext): Command {
  const command = new Command('import')
    .description("Copy another program's servers; each is tested, and enabled when it works.")
    .argument('<file|program>', `a file, or one of: ${importedPrograms.join(', ')}`)
    .option('--disabled', 'store them switched off and do not test them')
    .option('--yes', 'agree to what they start without being asked');
  return withSecretOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  errand servers import claude\n  errand servers import .vscode/mcp.json\n\nThe name of a program means your own files of it; a file of the vault is named as such.',
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
  const { servers, problems, brought } = await readImport(source, vault, terminal.cwd);
  for (const name of brought) terminal.stderr.write(`${describeBrought(name)}\n`);
  for (const problem of problems) terminal.stderr.write(messageText(problem, terminal.stderr));
  const news = servers.filter(({ sameAs }) => sameAs === undefined);
  const fields = news.flatMap(({ entry, secretFields }) =>
    secretFields.map((field) => `${entry.name} ${oneLine(field)}`),
  );
  const keepsPlain = !(await keepsSecrets(fields, options, context));
  const planned = await planImport(news, vault, () => keepsPlain);
  const entries = planned.map(({ entry, secrets }, index) => {
    const found = news[index] as ImportableServer;
    const notes = secrets.map(
      ({ field, name }) => `${field} is kept as the secret "${name}", outside the vault.`,
    );
    return {
      found: { ...found, notes: [...found.notes, ...notes] },
      entry,
      shown: vault.trust.show(entry),
    };
  });
  const shown = entries.map((each) => each.shown);
  const isAgreed = await agreesTo(shown, vault, options, context);
  if (isAgreed === undefined) {
    const refused = entries.map(({ found, shown: { does } }) => ({
      found,
      does,
      error: notAgreed,
    }));
    if (options.json) terminal.stdout.write(asJson(refused, problems));
    else terminal.stderr.write(`${notAgreed.message}\n`);
    return exitCode.usage;
  }
  // What was shown is agreed to, not what its files are by now.
  await storeImport(planned, vault, { signal, isAgreed: false });
  if (isAgreed) await vault.trust.agreeTo(shown);
  const imported: Imported[] = servers
    .filter(({ sameAs }) => sameAs !== undefined)
    .map((found) => ({ found }));
  for (const {
    found,
    entry,
    shown: { does },
  } of entries) {
    // What is switched off there is not started here.
    const isTested = !options.disabled && found.isEnabledThere;
    if (isTested && !options.json) terminal.stderr.write(`${entry.name}\n`);
    const tested = isTested ? await runTest(entry, vault, options, context) : undefined;
    const enabled = tested !== undefined && tested.error === undefined;
    if (enabled) await vault.host.servers.setEnabled(entry.id, true, signal);
    imported.push({ found, does, enabled, ...(tested?.error && { error: tested.error }) });
  }
  terminal.stdout.write(options.json ? asJson(imported, problems) : describe(imported));
  const hasFailed = problems.length > 0 || imported.some(({ error }) => error !== undefined);
  return hasFailed ? exitCode.failed : exitCode.ok;
}

interface Imported {
  readonly found: ImportableServer;
  /** What it does, unless it was here already. */
  readonly does?: readonly string[];
  readonly enabled?: boolean;
  readonly error?: HostError;
}

const notAgreed = new HostError(
  'untrusted',
  'Nothing was imported. Approve them with --yes, or store them with --disabled.',
);

/**
 * Whether a person agrees to what these entries start, after it was shown; undefined when they do not and
 * none may be stored. What is stored switched off, or started for one run, needs no yes that is remembered.
 */
async function agreesTo(
  shown: readonly ShownLaunch[],
  { trust }: OpenVault,
  { yes = false, disabled = false, json = false }: ImportOptions,
  { terminal, signal }: CommandContext,
): Promise<boolean | undefined> {
  if (yes || disabled || shown.length === 0) return yes;
  if (shown.every(({ server }) => trust.mayStart(server) === undefined)) return false;
  if (json) return undefined;
  for (const { server, does } of shown) {
    terminal.stderr.write(`${server.name}\n${markLines(does.join('\n'), terminal.stderr)}`);
  }
  if (!terminal.stdin.isTTY) return undefined;
  return (await confirm('Import and start them?', terminal, signal)) || undefined;
}

function asJson(imported: readonly Imported[], problems: readonly string[]): string {
  const servers = imported.map(({ found, does = [], enabled = false, error }) => ({
    name: found.entry.name,
    origin: found.origins[0],
    does,
    notes: found.notes,
    enabled,
    sameAs: found.sameAs ?? null,
    error: error ? briefFailure(error) : null,
  }));
  return `${JSON.stringify({ servers, problems }, undefined, 2)}\n`;
}

function describe(imported: readonly Imported[]): string {
  if (imported.length === 0) return 'Nothing was imported.\n';
  return imported
    .map(({ found, enabled, error }) => {
      const { entry, origins, notes, advice, sameAs } = found;
      const nameThere = origins[0]?.name ?? entry.name;
      const lines = [...notes, ...renderAdvice(advice, terminalAdvice)];
      if (sameAs !== undefined) return `${foreignName(nameThere)}: already here, as ${sameAs}\n`;
      const name =
        nameThere === entry.name ? entry.name : `${entry.name} (there: ${foreignName(nameThere)})`;
      const state = enabled
        ? 'enabled'
        : error
          ? 'disabled, because it does not work yet'
          : 'disabled';
      return `${name}: ${state}\n${lines.map((line) => `  ${oneLine(line)}\n`).join('')}`;
    })
    .join('');
}
