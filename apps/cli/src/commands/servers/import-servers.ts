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
import { importedPrograms, readImport } from './read-import.ts';
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
      '\nExamples:\n  errand servers import claude\n  errand servers import .vscode/mcp.json\n\nThe name of a program means your own files of it, and those that this vault or folder brings along: these\nare shown with their file and asked about on their own. --yes agrees only to yours, or to a file you name.',
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
  const { servers, problems, isBrought, leftOut } = await readImport(
    source,
    vault,
    terminal.cwd,
    !options.yes,
  );
  for (const sentence of leftOut) terminal.stderr.write(`${sentence}\n`);
  for (const problem of problems) terminal.stderr.write(messageText(problem, terminal.stderr));
  const news = servers.filter(({ sameAs }) => sameAs === undefined);
  const fields = news.flatMap(({ entry, secretFields }) =>
    secretFields.map((field) => `${entry.name} ${oneLine(field)}`),
  );
  const keepsPlain = !(await keepsSecrets(fields, options, context));
  const planned = await planImport(news, vault, () => keepsPlain);
  const entries = planned.map((plan, index): PlannedEntry => {
    const found = news[index] as ImportableServer;
    const notes = plan.secrets.map(
      ({ field, name }) => `${field} is kept as the secret "${name}", outside the vault.`,
    );
    return {
      found: { ...found, notes: [...found.notes, ...notes] },
      plan,
      shown: vault.trust.show(plan.entry),
      from: isBrought(found) ? found.origins[0]?.file : undefined,
    };
  });
  const accepted: PlannedEntry[] = [];
  const refused: PlannedEntry[] = [];
  const agreedTo: ShownLaunch[] = [];
  // A no to what came with a folder is no word about what a person set up themselves.
  for (const isOfFolder of [false, true]) {
    const group = entries.filter(({ from }) => (from !== undefined) === isOfFolder);
    const isAgreed = await agreesTo(group, vault, options, context);
    (isAgreed === undefined ? refused : accepted).push(...group);
    if (isAgreed) agreedTo.push(...group.map(({ shown }) => shown));
  }
  const leftAway = refused.map(({ found, from, shown: { does } }) => {
    return { found, does, error: from === undefined ? notAgreed : notAgreedOfFolder };
  });
  if (refused.length > 0 && accepted.length === 0) {
    if (options.json) terminal.stdout.write(asJson(leftAway, problems));
    else terminal.stderr.write(`${leftAway[0]?.error.message}\n`);
    return exitCode.usage;
  }
  // What was shown is agreed to, not what its files are by now.
  const plans = accepted.map(({ plan }) => plan);
  await storeImport(plans, vault, { signal, isAgreed: false });
  await vault.trust.agreeTo(agreedTo);
  const imported: Imported[] = servers
    .filter(({ sameAs }) => sameAs !== undefined)
    .map((found) => ({ found }));
  for (const {
    found,
    plan: { entry },
    shown: { does },
  } of accepted) {
    // What is switched off there is not started here.
    const isTested = !options.disabled && found.isEnabledThere;
    if (isTested && !options.json) terminal.stderr.write(`${entry.name}\n`);
    const tested = isTested ? await runTest(entry, vault, options, context) : undefined;
    const enabled = tested !== undefined && tested.error === undefined;
    if (enabled) await vault.host.servers.setEnabled(entry.id, true, signal);
    imported.push({ found, does, enabled, ...(tested?.error && { error: tested.error }) });
  }
  terminal.stdout.write(
    options.json ? asJson([...imported, ...leftAway], problems) : describe(imported),
  );
  for (const { found } of options.json ? [] : leftAway) {
    terminal.stderr.write(`${found.entry.name}: not imported\n`);
  }
  if (refused.length > 0) return exitCode.usage;
  const hasFailed = problems.length > 0 || imported.some(({ error }) => error !== undefined);
  return hasFailed ? exitCode.failed : exitCode.ok;
}

interface PlannedEntry {
  readonly found: ImportableServer;
  readonly plan: Awaited<ReturnType<typeof planImport>>[number];
  readonly shown: ShownLaunch;
  /** The file that it came with, unless that is a person's own. */
  readonly from: string | undefined;
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

const notAgreedOfFolder = new HostError(
  'untrusted',
  'Nothing was imported. What came with a folder is approved on a terminal, or by naming its file with --yes; --disabled stores it without a start.',
);

/**
 * Whether a person agrees to what these entries start, after it was shown; undefined when they do not and
 * none may be stored. What is stored switched off, or started for one run, needs no yes that is remembered.
 */
async function agreesTo(
  entries: readonly PlannedEntry[],
  { trust }: OpenVault,
  { yes = false, disabled = false, json = false }: ImportOptions,
  { terminal, signal }: CommandContext,
): Promise<boolean | undefined> {
  if (yes || disabled || entries.length === 0) return yes;
  if (entries.every(({ shown: { server } }) => trust.mayStart(server) === undefined)) return false;
  if (json) return undefined;
  for (const { shown, from } of entries) {
    const { server, does } = shown;
    const origin = from === undefined ? '' : `, from ${from}, which came with this folder`;
    terminal.stderr.write(
      `${server.name}${origin}\n${markLines(does.join('\n'), terminal.stderr)}`,
    );
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
