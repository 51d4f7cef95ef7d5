import type { HookProblem, HookView } from '@errand/hooks';
import { HostError, userFolders } from '@errand/host';
import { currentPlatform } from '@errand/machine/node';
import { describeHook, describeTrigger, nameServers } from '@errand/workspace/hooks';
import { ago } from '@errand/workspace/text';
import { Command } from 'commander';
import { word } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { vaultFolder } from '../../open-vault.ts';
import { paintColumn, type Tone } from '../../paint.ts';
import { table } from '../../table.ts';
import { askHooks } from './ask-hooks.ts';

/** `errand hooks`: every hook, how it is, and what is wrong with it. */
export async function listHooks(options: CommonOptions, context: CommandContext): Promise<void> {
  const { stdout, stderr } = context.terminal;
  const { value, isOwned } = await askHooks('list', {}, options, context);
  const { hooks, problems } = value;
  if (options.json) {
    const json = { isOwned, hooks: hooks.map(viewJson), problems };
    stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else {
    const now = Date.now();
    const tones = hooks.map((view) => toneOf(view));
    stdout.write(
      hooks.length === 0
        ? none(problems.length > 0)
        : table(
            hooks.map((view) => rowOf(view, now)),
            paintColumn(stdout.paint, 2, tones),
          ),
    );
    for (const { line, column, hookName, message } of problems) {
      const about = hookName === undefined ? '' : `${hookName}: `;
      stderr.write(markLines(`.errand/hooks.json:${line}:${column}: ${about}${message}`, stderr));
    }
    if (!isOwned && hooks.some(({ hook }) => hook.enabled)) stderr.write(unowned);
  }
  context.end(hooks.length === 0 && problems.length > 0 ? exitCode.usage : exitCode.ok);
}

function none(isBroken: boolean): string {
  return isBroken
    ? 'No hook of .errand/hooks.json can be used. Correct what is said about it.\n'
    : 'This vault has no hooks. Add one with: errand hooks add\n';
}

const unowned = 'No program owns this vault, so no hook runs. Run them with: errand up\n';

/** A hook as JSON shows it: the fields of its file, and what is known of it. */
export function viewJson({ hook, ...known }: HookView) {
  return { ...hook, ...known };
}

/** Whether a hook runs, or why it does not. */
export function stateOf({ hook, verdict, pausedAt, faults, active, lastRun }: HookView): string {
  if (!hook.enabled) return 'disabled';
  if (verdict !== 'trusted') return 'needs approval: errand trust';
  if (pausedAt !== undefined) return 'paused: ran too often';
  if (active > 0) return active === 1 ? 'running' : `running (${active})`;
  const [fault] = faults;
  if (fault === undefined) return lastRun?.status ?? 'never ran';
  const isOneCommand = fault.advice.every(({ kind }) => kind === 'install-bridge');
  return isOneCommand ? `${faultText(fault)} ${adviceText(fault)}`.trimEnd() : faultText(fault);
}

/** What is wrong with a hook, in a line of a list; `adviceText` says what to do. */
export function faultText({ message, advice }: Fault): string {
  const meant = advice.flatMap((each) => (each.kind === 'update-hook' ? (each.meant ?? []) : []));
  const [first] = meant;
  return first === undefined ? message : `${message} Did you mean "${first}"?`;
}

type Fault = HookView['faults'][number];

/** What to do about what is wrong with a hook. */
export function adviceText({ advice }: Fault): string {
  return advice.map(commandOf).join(', ');
}

function commandOf(advice: Fault['advice'][number]): string {
  switch (advice.kind) {
    case 'update-hook':
      return `Change it with: errand hooks edit ${word(advice.hook)}`;
    case 'remove-hook':
      return `or remove it with: errand hooks remove ${word(advice.hook)}`;
    case 'enable-server':
      return `Enable it with: errand servers enable ${word(advice.server)}`;
    case 'install-bridge':
      return 'Let one: errand hooks bridge install claude';
  }
}

function toneOf(view: HookView): Tone | undefined {
  const { hook, verdict, pausedAt, faults, active, lastRun } = view;
  if (!hook.enabled) return undefined;
  if (verdict !== 'trusted' || pausedAt !== undefined || faults.length > 0) return 'warn';
  if (active > 0) return 'accent';
  if (lastRun === undefined || lastRun.status === 'skipped') return undefined;
  return lastRun.status === 'success' ? 'good' : 'bad';
}

function rowOf(view: HookView, now: number): readonly string[] {
  const { hook, lastExecutedAt, nextRun } = view;
  return [
    hook.name,
    describeTrigger(hook.trigger),
    stateOf(view),
    lastExecutedAt === undefined ? '' : `ran ${ago(now - lastExecutedAt)}`,
    nextRun === undefined ? '' : `next ${timeText(nextRun)}`,
  ];
}

export function timeText(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').slice(0, 19);
}

export function showHookCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show one hook in full; for HTTP, with its address and token.')
    .argument('<name>', 'the name or id of a hook')
    .action(async (name: string, options: CommonOptions) => {
      const { stdout } = context.terminal;
      const view = await findView(name, options, context);
      const endpoint =
        view.hook.trigger.kind === 'http' ? await endpointOf(view, options, context) : undefined;
      if (options.json) {
        const json = { ...viewJson(view), ...(endpoint && { endpoint }) };
        stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      } else {
        const {
          hook,
          executionCount = 0,
          lastExecutedAt,
          lastRun,
          nextRun,
          faults,
          servers,
        } = view;
        const rows = [
          ['name', hook.name],
          ['id', hook.id],
          ['state', stateOf(view)],
          ['runs', String(executionCount)],
          ...(lastExecutedAt === undefined
            ? []
            : [['last run', `${timeText(lastExecutedAt)} ${lastRun?.status ?? ''}`]]),
          ...(nextRun === undefined ? [] : [['next run', timeText(nextRun)]]),
          ...(endpoint === undefined
            ? []
            : [
                ['address', endpoint.url],
                ['token', endpoint.token],
              ]),
          ...faults.map((fault) => ['problem', `${faultText(fault)} ${adviceText(fault)}`]),
        ];
        const lines = describeHook(nameServers(hook, servers));
        stdout.write(table(rows) + markLines(lines.join('\n'), stdout));
      }
      context.end(exitCode.ok);
    });
}

/** The hook of a name or id, with what is known of it. */
async function findView(
  name: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<HookView> {
  const { hooks, problems } = (await askHooks('list', {}, options, context)).value;
  const wanted = name.toLowerCase();
  const found =
    hooks.find(({ hook }) => hook.id === name) ??
    hooks.find(({ hook }) => hook.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = hooks.map(({ hook }) => `"${hook.name}"`).join(', ');
  const others = names === '' ? 'This vault has none.' : `There are: ${names}.`;
  const message = brokenHook(name, problems) ?? `No hook is called "${name}". ${others}`;
  throw new HostError('settings_invalid', message);
}

/** Why the hook of a name or id cannot be used; undefined when the file has none. */
export function brokenHook(name: string, problems: readonly HookProblem[]): string | undefined {
  const wanted = name.toLowerCase();
  const found = problems.find(
    ({ hookId, hookName }) => hookId === name || hookName?.toLowerCase() === wanted,
  );
  if (found === undefined) return undefined;
  const { line, column, message } = found;
  return `The hook "${name}" cannot be used. .errand/hooks.json:${line}:${column}: ${message}`;
}

async function endpointOf({ hook }: HookView, options: CommonOptions, context: CommandContext) {
  const { cwd } = context.terminal;
  const folder = await vaultFolder(options, cwd, cwd);
  const { httpEndpoint } = await import('@errand/hooks');
  return httpEndpoint({ folder, stateFolder: userFolders(currentPlatform()).state }, hook.id);
}
