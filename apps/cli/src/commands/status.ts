import type { OwnerVisit } from '@errand/owner';
import { describeCall } from '@errand/workspace/activity';
import { describeServerState, serverJson, stateLine, toolCount } from '@errand/workspace/servers';
import { ago } from '@errand/workspace/text';
import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { type Paint, paintColumn } from '../paint.ts';
import { table } from '../table.ts';
import { describeProgram, describeUnheard, visitVault } from '../visit-vault.ts';

type Report = Extract<OwnerVisit, { status: 'answered' }>['report'];

/** `errand status`: who owns the vault and what runs there. */
export function statusCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('status').description(
      'Show which program runs the servers of the vault, and how they are.',
    ),
  )
    .addHelpText(
      'after',
      `
Starts nothing: what it shows comes from the program that owns the vault.

Examples:
  errand status
  errand status --json --vault ~/notes`,
    )
    .action(async (options: CommonOptions) => {
      const { stdout } = context.terminal;
      const { folder, visit } = await visitVault(options, context);
      if (options.json) stdout.write(`${JSON.stringify(asJson(folder, visit), undefined, 2)}\n`);
      else stdout.write(asText(visit, stdout.paint));
      context.end(exitCode.ok);
    });
}

/** Capabilities that come later add fields; none goes away. */
function asJson(vault: string, visit: OwnerVisit) {
  const report = visit.status === 'answered' ? visit.report : undefined;
  return {
    vault,
    owner: ownerJson(visit),
    attached: report?.faces.map(({ program, version, pid }) => ({ program, version, pid })) ?? [],
    servers: report?.servers.map(serverJson) ?? [],
    calls: report === undefined ? [] : callsOf(report),
    stopped: report?.isStopped ?? false,
    sessions: report?.sessions.map(([id, { executed, limit }]) => ({ id, executed, limit })) ?? [],
  };
}

function ownerJson(visit: OwnerVisit) {
  if (visit.status === 'nobody') return null;
  const { program, version, pid, since } = 'report' in visit ? visit.report.owner : visit.owner;
  const state = visit.status === 'answered' ? 'answers' : visit.status;
  return { program, version, pid, since, state };
}

function callsOf({ calls, servers }: Report) {
  const entries = new Map(servers.map(({ config }) => [config.id, config]));
  return calls.map(({ request, submittedAt, startedAt }) => ({
    ...describeCall(request, { find: (id) => entries.get(id) }),
    status: startedAt === undefined ? 'pending' : 'executing',
    submittedAt,
    startedAt: startedAt ?? null,
  }));
}

function asText(visit: OwnerVisit, paint?: Paint): string {
  if (visit.status === 'nobody') {
    return 'No program owns this vault, so none of its servers runs. Keep them running with: errand up\n';
  }
  if (visit.status !== 'answered') return `${describeUnheard(visit)}\n`;
  const { report } = visit;
  const { owner, faces, servers, sessions } = report;
  const now = Date.now();
  const states = servers.map((server) =>
    describeServerState(server, { say: ({ message }) => message }),
  );
  const tones = states.map(({ tone }) => tone);
  const counted = sessions.map(([id, { executed, limit }]) => [
    id,
    limit === -1 ? `${executed}` : `${executed} of ${limit}`,
  ]);
  const parts = [
    `Owned by ${describeProgram(owner)} since ${ago(now - owner.since)}.\n`,
    faces.length === 0
      ? 'No other program is attached.\n'
      : `Attached: ${faces.map(describeProgram).join(', ')}.\n`,
    ...(report.isStopped ? ['Calls are stopped. Let them run again with: errand resume\n'] : []),
    section(
      'Servers',
      servers.map((server, index) => {
        const tools = server.toolCount === undefined ? '' : toolCount(server.toolCount);
        const { label = '' } = states[index] ?? {};
        return [server.config.name, stateLine({ label }, server, now), tools];
      }),
      paintColumn(paint, 1, tones),
    ),
    section(
      'Calls',
      callsOf(report).map(({ server, tool, note, source, status, submittedAt }) => [
        `${server} ${tool}`,
        note ?? source,
        status === 'pending' ? 'waiting' : 'running',
        ago(now - submittedAt),
      ]),
    ),
    section('Calls by session', counted),
  ];
  return parts.join('');
}

function section(
  title: string,
  rows: readonly (readonly string[])[],
  paint?: Parameters<typeof table>[1],
): string {
  return rows.length === 0 ? '' : `\n${title}\n${table(rows, paint).replace(/^(?=.)/gm, '  ')}`;
}
