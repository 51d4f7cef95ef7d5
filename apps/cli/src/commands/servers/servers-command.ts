import { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  passOptionsOn,
  withCommonOptions,
} from '../../command-context.ts';
import { addServerCommand } from './add-server.ts';
import { editServerCommand } from './edit-server.ts';
import { importServersCommand } from './import-servers.ts';
import { listServers } from './list-servers.ts';
import { loginCommand, logoutCommand } from './login-server.ts';
import { serverLogCommand, showServerCommand } from './show-server.ts';
import { disableCommand, enableCommand, removeCommand } from './switch-server.ts';
import { testServerCommand } from './test-server.ts';

interface ListOptions extends CommonOptions {
  readonly offline?: boolean;
}

/** `errand servers`: how the servers are, and everything that changes them. */
export function serversCommand(context: CommandContext): Command {
  const command = withCommonOptions(
    new Command('servers')
      .description('Show the servers of this vault with their states and problems.')
      .option('--offline', 'show what is stored, and connect to nothing'),
  )
    .addHelpText(
      'after',
      `
Examples:
  errand servers
  errand servers add files -- npx -y @modelcontextprotocol/server-filesystem .
  errand servers add weather --image mcp/weather:1
  errand servers add crm --url https://crm.example/mcp --header 'Authorization=Bearer \${secret:crm}'
  errand servers test files`,
    )
    .action(async (options: ListOptions) => {
      context.end(await listServers(options, context));
    });
  for (const make of subcommands) command.addCommand(withCommonOptions(make(context)));
  return passOptionsOn(command);
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .alias('ls')
    .description('The same as without a subcommand.')
    .option('--offline', 'show what is stored, and connect to nothing')
    .action(async (options: ListOptions) => {
      context.end(await listServers(options, context));
    });
}

const subcommands = [
  listCommand,
  showServerCommand,
  addServerCommand,
  editServerCommand,
  removeCommand,
  enableCommand,
  disableCommand,
  testServerCommand,
  serverLogCommand,
  importServersCommand,
  loginCommand,
  logoutCommand,
];
