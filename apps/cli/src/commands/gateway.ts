import { once } from 'node:events';
import { Gateway, gatewayHostFrom, listenOnHttp, serveOnStdio } from '@errand/host/gateway';
import { Command, Option } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { openVault } from '../open-vault.ts';
import { personAt } from '../person.ts';
import { portNumber } from '../port-number.ts';
import { version } from '../version.ts';

interface GatewayCommandOptions extends CommonOptions {
  readonly port?: number;
  readonly host?: string;
}

/** `errand gateway`: all enabled servers as one MCP server. */
export function gatewayCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('gateway')
      .description('Offer all enabled servers to other programs as one MCP server.')
      .addOption(
        new Option('--stdio', 'on standard input and output (the default)').conflicts('port'),
      )
      .option('--port <n>', 'over HTTP, on this port of this machine; 0 takes any', portNumber)
      .option('--host <address>', 'another address to listen on; it needs ERRAND_TOKEN'),
  )
    .addHelpText(
      'after',
      `
The tools are named server__tool. Beyond this machine every request must carry the token in ERRAND_TOKEN.

Examples:
  errand gateway --stdio --vault ~/notes
  errand gateway --port 3333`,
    )
    .action(async (options: GatewayCommandOptions) => {
      context.end(await runGateway(options, context));
    });
}

async function runGateway(
  options: GatewayCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, signal } = context;
  await using vault = await openVault(options, context, personAt(terminal));
  using gateway = new Gateway(gatewayHostFrom(vault.host), { info: { name: 'errand', version } });
  vault.host.servers.start();
  if (options.port === undefined && options.host === undefined) {
    await serveOnStdio(gateway, { input: terminal.stdin, output: terminal.stdout, signal });
    return exitCode.ok;
  }
  const token = terminal.env.ERRAND_TOKEN;
  await using listener = await listenOnHttp(gateway, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host !== undefined && { host: options.host }),
    ...(token && { token }),
  });
  const { url } = listener;
  terminal.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
  if (!signal.aborted) await once(signal, 'abort');
  return exitCode.ok;
}
