import type { ServerConfig } from '@errand/host';
import { findServer, removeServer } from '@errand/workspace/servers';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { type OpenVault, openVault } from '../../open-vault.ts';
import { personAt } from '../../person.ts';

/** `errand servers enable`: switched on, with all earlier failures forgotten. */
export function enableCommand(context: CommandContext): Command {
  const command = new Command('enable').description('Enable a server and forget its failures.');
  return changing(command, context, 'Enabled', async (server, { host }) => {
    await host.servers.setEnabled(server.id, true, context.signal);
  });
}

export function disableCommand(context: CommandContext): Command {
  const command = new Command('disable').description('Disable a server; its entry stays.');
  return changing(command, context, 'Disabled', async (server, { host }) => {
    await host.servers.setEnabled(server.id, false, context.signal);
  });
}

export function removeCommand(context: CommandContext): Command {
  const command = new Command('remove').description('Remove a server from the settings.');
  return changing(command, context, 'Removed', async (server, vault) => {
    await removeServer(vault, server.id, context.signal);
  });
}

function changing(
  command: Command,
  context: CommandContext,
  done: string,
  change: (server: ServerConfig, vault: OpenVault) => Promise<void>,
): Command {
  return command.argument('<name>').action(async (name: string, options: CommonOptions) => {
    const { terminal } = context;
    await using vault = await openVault(options, context, personAt(terminal));
    const server = findServer(vault.host, name);
    await change(server, vault);
    const json = JSON.stringify({ name: server.name, [done.toLowerCase()]: true });
    terminal.stdout.write(options.json ? `${json}\n` : `${done} ${server.name}.\n`);
    context.end(exitCode.ok);
  });
}
