import { duration } from '@errand/document/display';
import { describeLaunch, type ServerSnapshot } from '@errand/host';
import {
  describeServerState,
  findServer,
  hideSecrets,
  serverJson,
  stateLine,
  toolCount,
} from '@errand/workspace/servers';
import { ago } from '@errand/workspace/text';
import { Command } from 'commander';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { messageText } from '../../message-text.ts';
import { openVault } from '../../open-vault.ts';
import { paintColumn } from '../../paint.ts';
import { personAt } from '../../person.ts';
import { positiveNumber } from '../../positive-number.ts';
import { table } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { connectionKind } from './connection-kind.ts';

/** `errand servers show`: what is stored and known of one server; starts nothing. */
export function showServerCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show what one server starts, its rules and its state, without connecting.')
    .argument('<name>')
    .action(async (name: string, options: CommonOptions) => {
      const { terminal, signal } = context;
      await using vault = await openVault(options, context, personAt(terminal));
      const { servers } = vault.host;
      const snapshot = servers.snapshot(findServer(vault.host, name).id);
      const config = hideSecrets(snapshot.config);
      const isConnected = snapshot.connectionState === 'connected';
      const listed = isConnected ? await servers.tools(config.id, signal) : [];
      const tools = listed.map((tool) => tool.name);
      if (options.json) {
        const { trust } = snapshot;
        const json = { ...serverJson(snapshot), trust, entry: config, toolNames: tools };
        terminal.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else terminal.stdout.write(asText({ ...snapshot, config }, tools, terminal.stdout));
      context.end(exitCode.ok);
    });
}

function asText(
  server: ServerSnapshot,
  tools: readonly string[],
  output: Terminal['stdout'],
): string {
  const { config, reason, pingLatency, lastConnectedAt } = server;
  const description = describeServerState(server, { say: ({ message }) => message });
  const tones = [undefined, undefined, description.tone];
  const rows = [
    ['name', config.name],
    ['kind', connectionKind(config)],
    ['state', stateLine(description, server, Date.now())],
    ...(lastConnectedAt === undefined ? [] : [['connected', ago(Date.now() - lastConnectedAt)]]),
    ...(pingLatency === undefined ? [] : [['latency', duration(pingLatency)]]),
    ['calls of models', config.approval ?? 'ask'],
    ...(config.timeout === undefined ? [] : [['timeout', duration(config.timeout)]]),
    ...(config.startTimeout === undefined
      ? []
      : [['start timeout', duration(config.startTimeout)]]),
    ...(config.connect === undefined ? [] : [['connect', config.connect]]),
    ...(config.sectionBindings.length === 0
      ? []
      : [['bindings', String(config.sectionBindings.length)]]),
    ...(tools.length === 0 ? [] : [['tools', `${toolCount(tools.length)}: ${tools.join(', ')}`]]),
  ];
  const why = reason === undefined ? '' : advisedText(reason, {}, '  ');
  return (
    table(rows, paintColumn(output.paint, 1, tones)) +
    why +
    markLines(describeLaunch(config).join('\n'), output)
  );
}

interface LogOptions extends CommonOptions {
  readonly lines?: number;
}

/** `errand servers log`: what a running server last wrote to standard error. */
export function serverLogCommand(context: CommandContext): Command {
  return new Command('log')
    .description('Show what a running server last wrote to standard error.')
    .argument('<name>')
    .option('--lines <n>', 'only the last lines', positiveNumber)
    .action(async (name: string, options: LogOptions) => {
      const { stdout, stderr } = context.terminal;
      await using vault = await openVault(options, context, personAt(context.terminal));
      const server = findServer(vault.host, name);
      const { lastOutput } = await vault.host.servers.details(server.id);
      const lines = lastOutput === '' ? [] : lastOutput.trimEnd().split('\n');
      const { lines: most = lines.length } = options;
      const shown = most === 0 ? '' : lines.slice(-most).join('\n');
      const { connectionState } = vault.host.servers.snapshot(server.id);
      if (options.json) {
        const json = { name: server.name, connectionState, output: shown };
        stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else if (shown !== '') stdout.write(`${shown}\n`);
      else stderr.write(messageText(whyEmpty(server.name, server.deploymentType, connectionState)));
      context.end(exitCode.ok);
    });
}

function whyEmpty(
  name: string,
  type: ServerSnapshot['config']['deploymentType'],
  state: ServerSnapshot['connectionState'],
): string {
  if (type === 'external') return `"${name}" runs elsewhere; its output is not sent here.`;
  if (state === 'connected') return `"${name}" has written nothing to standard error.`;
  return `"${name}" is not running. See what it writes with: errand servers test ${name}`;
}
