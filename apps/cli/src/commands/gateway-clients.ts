import type { CallLimit, GatewayClient, LoginClaim } from '@errand/gateway/replica';
import { HostError } from '@errand/host';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { readLogin } from '../gateway-logins.ts';
import { describeClient, openReplica } from '../gateway-replica.ts';
import { neededUrl } from '../job-database.ts';
import { personAt } from '../person.ts';
import { table } from '../table.ts';

interface ClientFlags {
  readonly database?: string;
  readonly json?: boolean;
  readonly servers?: readonly string[];
  readonly tools?: readonly string[];
  readonly note?: string;
  readonly calls?: CallLimit;
  readonly login?: readonly LoginClaim[];
}

/** `errand gateway clients`: who may use the replicas of a gateway. */
export function clientsCommand(context: CommandContext): Command {
  const command = withFlags(
    new Command('clients').description('Show who may use the replicas of a gateway.'),
  );
  command.action((flags: ClientFlags) => list(flags, context));
  command.addCommand(
    withFlags(
      new Command('add').description(
        'Add a client, or give it a new token; what is not given stays.',
      ),
    )
      .argument('<name>', 'its name, which the log shows')
      .option('--servers <names>', 'only these servers, separated by commas', names)
      .option('--tools <names>', 'only these tools, as server__tool or server__*', names)
      .option('--note <note>', 'only what this note allows')
      .option(
        '--calls <n/period>',
        'at most so many calls, such as 100/minute or 5000/day',
        readLimit,
      )
      .option(
        '--login <claim=value>',
        'whoever logs in with this claim, instead of a token; may be repeated',
        readLogin,
      )
      .action((name: string, flags: ClientFlags) => add(name, flags, context)),
  );
  command.addCommand(
    withFlags(
      new Command('remove').description('Remove a client; its token stops working at once.'),
    )
      .argument('<name>', 'its name')
      .action((name: string, flags: ClientFlags) => remove(name, flags, context)),
  );
  return command;
}

function withFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--database <url>', 'the PostgreSQL of the replicas').env('ERRAND_DATABASE'),
    )
    .option('--json', 'print one JSON document, and nothing else, to standard output');
}

async function list(flags: ClientFlags, context: CommandContext): Promise<void> {
  await using replica = await openReplica(neededUrl(flags), personAt(context.terminal).notifier);
  const clients = replica.database.clients();
  const { stdout } = context.terminal;
  if (flags.json) stdout.write(`${JSON.stringify({ clients }, undefined, 2)}\n`);
  else stdout.write(clients.length === 0 ? 'No clients.\n' : table(clients.map(describeClient)));
  context.end(exitCode.ok);
}

async function add(name: string, flags: ClientFlags, context: CommandContext): Promise<void> {
  const { clientName } = await import('@errand/gateway/replica');
  if (!clientName.test(name)) {
    const message = 'A name has small letters, digits, dots, dashes and underscores, at most 63.';
    throw new HostError('settings_invalid', message);
  }
  const { servers, tools, note, calls, login: logins } = flags;
  await using replica = await openReplica(neededUrl(flags), personAt(context.terminal).notifier);
  // A new token must not give more rights than the old one had.
  const client: GatewayClient = {
    ...replica.database.clientNamed(name),
    name,
    ...(servers && { servers }),
    ...(tools && { tools }),
    ...(note && { note }),
    ...(calls && { limit: calls }),
    ...(logins && { logins }),
  };
  const token = await replica.database.addClient(client);
  const { stdout, stderr } = context.terminal;
  if (client.logins !== undefined) {
    if (flags.json) stdout.write(`${JSON.stringify({ client }, undefined, 2)}\n`);
    else stdout.write(`${table([describeClient(client)])}`);
    stderr.write('Whoever logs in so is this client. It has no token of its own.\n');
    return context.end(exitCode.ok);
  }
  stdout.write(flags.json ? `${JSON.stringify({ client, token }, undefined, 2)}\n` : `${token}\n`);
  stderr.write(
    `This is its token. It is shown only once; "add" with the same name makes a new one.\n${table([describeClient(client)])}`,
  );
  context.end(exitCode.ok);
}

async function remove(name: string, flags: ClientFlags, context: CommandContext): Promise<void> {
  await using replica = await openReplica(neededUrl(flags), personAt(context.terminal).notifier);
  if (!(await replica.database.removeClient(name))) {
    const message = `There is no client "${name}". See them with: errand gateway clients`;
    throw new HostError('settings_invalid', message);
  }
  if (flags.json) context.terminal.stdout.write(`${JSON.stringify({ removed: name })}\n`);
  else context.terminal.stdout.write(`The client ${name} is removed.\n`);
  context.end(exitCode.ok);
}

function names(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

const periods: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

function readLimit(text: string): CallLimit {
  const [, calls, period = ''] = /^(\d+)\/(second|minute|hour|day)$/.exec(text) ?? [];
  const periodMs = periods[period];
  if (periodMs !== undefined) return { calls: Number(calls), periodMs };
  const message = 'Write a limit as a number of calls and a period: 100/minute, 5000/day.';
  throw new HostError('settings_invalid', message);
}
