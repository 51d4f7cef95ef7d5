import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, type Notifier } from '@errand/host';
import { openAttachmentFolder } from '@errand/machine/node';
import type { PageNotifier, ServedWorkbench } from '@errand/workbench';
import { Command } from 'commander';
import { browserOpener } from '../browser-opener.ts';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import {
  type AccessOptions,
  gatewayToken,
  printConfig,
  withAccessOptions,
} from '../gateway-access.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { portNumber } from '../port-number.ts';
import { startServers } from '../start-servers.ts';
import {
  type MetricsOptions,
  offerMetrics,
  withMetricsOption,
} from '../telemetry/offer-metrics.ts';
import { OpenedJobs } from '../telemetry/opened-jobs.ts';
import { terminalNotifier } from '../terminal-notifier.ts';
import { usualPort } from '../usual-port.ts';
import { version } from '../version.ts';

/** A browser that is started for it may take long to ask. */
const openingMs = 2 * 60 * 1000;

interface ServeCommandOptions extends CommonOptions, AccessOptions, MetricsOptions {
  readonly port?: number;
  readonly open?: boolean;
}

/** `errand serve`: the workbench in a browser, and the gateway beside it. */
export function serveCommand(context: CommandContext): Command {
  const command = withMetricsOption(
    withAccessOptions(
      new Command('serve')
        .description('Work with the vault in a browser, and offer its servers under /mcp.')
        .option(
          '--port <n>',
          `a port of this machine; 0 takes any (default: ${usualPort})`,
          portNumber,
        )
        .option('--open', 'open it in the browser, where there is a desktop'),
    ),
  );
  return withCommonOptions(command)
    .addHelpText(
      'after',
      `
Only this machine can reach it. The link that is printed lets in one browser, once; there, Settings make links for others.
Programs present a token under /mcp, which stays the same for a vault until --new-token. Ctrl-C ends it.

Examples:
  errand serve --open
  errand serve --port 8080 --vault ~/notes
  errand serve --print-config vscode`,
    )
    .action(async (options: ServeCommandOptions) => {
      context.end(await serve(options, context));
    });
}

async function serve(options: ServeCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  if (options.printConfig !== undefined) return printConfigOf(options, context);
  const workbench = await loadWorkbench();
  const pageNotifier = new workbench.PageNotifier();
  const inTerminal = terminalNotifier(terminal);
  const notifier: Notifier = {
    notify(notice) {
      inTerminal.notify(notice);
      pageNotifier.notify(notice);
    },
  };
  const jobs = new OpenedJobs();
  await using vault = await openVault(options, context, {
    notifier,
    onJobs: jobs.offer,
    elicitor: pageNotifier,
    canAskCallers: true,
    owner: 'serve',
  });
  const token = await gatewayToken(options, terminal, vault);
  const wanted = { port: options.port, ...(token !== undefined && { gatewayToken: token }) };
  await using served = await start(wanted, vault, pageNotifier, workbench);
  await using metrics = await offerMetrics('serve', options, terminal.env, vault.host, jobs);
  if (metrics?.url !== undefined) terminal.stderr.write(`Metrics are at ${metrics.url}/metrics.\n`);
  startServers(vault.host, notifier);
  const { gatewayUrl } = served;
  const url = served.newLink();
  terminal.stdout.write(
    options.json ? `${JSON.stringify({ url, gatewayUrl })}\n` : `Open ${url}\n`,
  );
  if (options.open) {
    const opener = browserOpener(terminal);
    const { isSeenByOthers = false } = opener ?? {};
    opener?.open(served.newLink({ expiresAfterMs: openingMs, isSeenByOthers }));
  }
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

async function printConfigOf(
  options: ServeCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  await using vault = await openVault(options, context, personAt(terminal));
  const token = await gatewayToken(options, terminal, vault);
  const stdioArgs = ['gateway', '--stdio', '--vault', vault.folder];
  const ways = { port: options.port ?? usualPort, token, stdioArgs };
  printConfig(options.printConfig ?? '', ways, terminal, options.json);
  return exitCode.ok;
}

type Workbench = Awaited<ReturnType<typeof loadWorkbench>>;

/** Loaded by those who use it: its web framework would cost every other command its time and memory. */
function loadWorkbench() {
  return import('@errand/workbench');
}

async function start(
  { port, ...options }: { readonly port: number | undefined; readonly gatewayToken?: string },
  vault: OpenVault,
  pageNotifier: PageNotifier,
  { serveWorkbench }: Workbench,
): Promise<ServedWorkbench> {
  const { folder, host, sharing } = vault;
  const ports = {
    ...vault,
    version,
    pageNotifier,
    pageFolder: pageFolder(),
    ...(sharing && { services: sharing }),
    // The folder is a setting, and settings change while this runs.
    attachments: {
      save: (...file: Parameters<OpenVault['attachments']['save']>) =>
        openAttachmentFolder(folder, host.servers.settings.attachmentsFolder).save(...file),
    },
  } as const;
  try {
    return await serveWorkbench(ports, { ...options, port: port ?? usualPort });
  } catch (error) {
    const isTaken = error instanceof HostError && error.code === 'port_in_use';
    if (!isTaken || port !== undefined) throw error;
    return serveWorkbench(ports, { ...options, port: 0 });
  }
}

/** The built page lies beside the built program; in a checkout it stays where it is built. */
function pageFolder(): string {
  const beside = join(import.meta.dirname, 'page');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../workbench/dist/page');
}
