import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, type Notifier } from '@errand/host';
import { openAttachmentFolder } from '@errand/host/node';
import type { FrontDesk, ServedWorkbench } from '@errand/workbench';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { type OpenVault, openVault } from '../open-vault.ts';
import { isOwnServer } from '../own-programs.ts';
import { portNumber } from '../port-number.ts';
import { terminalNotifier } from '../terminal-notifier.ts';
import { version } from '../version.ts';
import { keepToken } from '../workbench-token.ts';

/** Taken when it is free, so that a page that is still open finds the workbench again. */
const usualPort = 4747;

interface ServeCommandOptions extends CommonOptions {
  readonly port?: number;
  readonly open?: boolean;
}

/** `errand serve`: the workbench in a browser, and the gateway beside it. */
export function serveCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('serve')
      .description('Work with the vault in a browser, and offer its servers under /mcp.')
      .option(
        '--port <n>',
        `a port of this machine; 0 takes any (default: ${usualPort})`,
        portNumber,
      )
      .option('--open', 'open it in the browser, where there is a desktop'),
  )
    .addHelpText(
      'after',
      `
Only this machine can reach it, and only by the link that is printed. Ctrl-C ends it.

Examples:
  errand serve --open
  errand serve --port 8080 --vault ~/notes`,
    )
    .action(async (options: ServeCommandOptions) => {
      context.end(await serve(options, context));
    });
}

async function serve(options: ServeCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal, signal } = context;
  const workbench = await loadWorkbench();
  const desk = new workbench.FrontDesk();
  const inTerminal = terminalNotifier(terminal);
  const notifier: Notifier = {
    notify(notice) {
      inTerminal.notify(notice);
      desk.notify(notice);
    },
  };
  await using vault = await openVault(options, context, { notifier, elicitor: desk });
  await using served = await start(options.port, terminal.env, vault, desk, workbench);
  vault.host.servers.start();
  const { link, gatewayUrl } = served;
  const line = options.json ? JSON.stringify({ url: link, gatewayUrl }) : `Open ${link}`;
  terminal.stdout.write(`${line}\n`);
  if (options.open) openInBrowser(link, terminal);
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}

type Workbench = Awaited<ReturnType<typeof loadWorkbench>>;

/** Loaded by those who use it: its web framework would cost every other command its time and memory. */
function loadWorkbench() {
  return import('@errand/workbench');
}

async function start(
  port: number | undefined,
  env: NodeJS.ProcessEnv,
  vault: OpenVault,
  desk: FrontDesk,
  { serveWorkbench }: Workbench,
): Promise<ServedWorkbench> {
  const { folder, folders, host, trust } = vault;
  const token = await keepToken(folders.state, folder);
  const ports = {
    ...vault,
    version,
    env,
    desk,
    pageFolder: pageFolder(),
    // The folder is a setting, and settings change while this runs.
    attachments: {
      save: (...file: Parameters<OpenVault['attachments']['save']>) =>
        openAttachmentFolder(folder, host.servers.settings.attachmentsFolder).save(...file),
    },
    trust: {
      verdict: (server: Parameters<typeof isOwnServer>[0]) =>
        isOwnServer(server) ? 'trusted' : trust.verdict(server),
      mayStart: (server: Parameters<typeof isOwnServer>[0]) =>
        isOwnServer(server) ? undefined : trust.mayStart(server),
      verdictOfAssistant: trust.verdictOfAssistant,
      mayUse: trust.mayUse,
      agree: trust.agree,
    },
  } as const;
  try {
    return await serveWorkbench(ports, { port: port ?? usualPort, token });
  } catch (error) {
    const isTaken = error instanceof HostError && error.code === 'port_in_use';
    if (!isTaken || port !== undefined) throw error;
    return serveWorkbench(ports, { port: 0, token });
  }
}

/** The built page lies beside the built program; in a checkout it stays where it is built. */
function pageFolder(): string {
  const beside = join(import.meta.dirname, 'page');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../workbench/dist/page');
}
