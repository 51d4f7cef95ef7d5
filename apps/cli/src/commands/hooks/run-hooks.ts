import { duration } from '@errand/document/display';
import type { HookEvent, HookRun } from '@errand/hooks';
import { readChain } from '@errand/hooks/bridge';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { Command } from 'commander';
import { advisedText } from '../../advice.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { paintColumn, type Tone } from '../../paint.ts';
import { readAll } from '../../piped-input.ts';
import { positiveNumber } from '../../positive-number.ts';
import { table } from '../../table.ts';
import { askHooks } from './ask-hooks.ts';
import { timeText } from './list-hooks.ts';

interface RunOptions extends CommonOptions {
  readonly detach?: boolean;
}

/** `errand hooks run`: runs a hook now and waits for it. */
export function runHookCommand(context: CommandContext): Command {
  return new Command('run')
    .description('Run a hook now, whatever its conditions, and wait for it.')
    .argument('<name>', 'the name or id of a hook')
    .argument('[field=value...]', 'fields of the event that templates read')
    .option('--detach', 'do not wait for its end')
    .action(async (name: string, pairs: string[], options: RunOptions) => {
      const params = { hook: name, fields: fieldsOf(pairs), ...chainIn(context.terminal.env) };
      const { run } = (await askHooks('run', params, options, context)).value;
      context.end(await follow(run, options, context));
    });
}

/** `errand hooks rerun`: the same event once more. */
export function rerunHookCommand(context: CommandContext): Command {
  return new Command('rerun')
    .description('Run a hook again for the event of an earlier run, and wait for it.')
    .argument('<run>', 'the id of a run, or its beginning; see: errand hooks log')
    .option('--detach', 'do not wait for its end')
    .action(async (id: string, options: RunOptions) => {
      const { run } = (await askHooks('rerun', { run: id }, options, context)).value;
      context.end(await follow(run, options, context));
    });
}

/** Waits for a run; Ctrl-C ends the waiting, not the run. */
async function follow(
  started: HookRun,
  options: RunOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout } = context.terminal;
  const run = options.detach
    ? started
    : (await askHooks('wait', { run: started.id }, options, context)).value.run;
  if (options.json) stdout.write(`${JSON.stringify({ run }, undefined, 2)}\n`);
  else stdout.write(options.detach ? `Run ${run.id} began.\n` : describeRun(run));
  const isFine = options.detach || run.status === 'success' || run.status === 'skipped';
  return isFine ? exitCode.ok : exitCode.failed;
}

/** `errand hooks cancel`: ends a run, also at the server. */
export function cancelHookCommand(context: CommandContext): Command {
  return new Command('cancel')
    .description('End a run that waits or works, also at the server.')
    .argument('<run>', 'the id of a run, or its beginning')
    .action(async (id: string, options: CommonOptions) => {
      const { isCancelled } = (await askHooks('cancel', { run: id }, options, context)).value;
      const json = JSON.stringify({ run: id, cancelled: isCancelled });
      const text = isCancelled ? `Cancelled ${id}.` : `${id} has ended already.`;
      context.terminal.stdout.write(`${options.json ? json : text}\n`);
      context.end(exitCode.ok);
    });
}

interface LogOptions extends CommonOptions {
  readonly limit: number;
}

/** `errand hooks log`: the runs, or one of them in full. */
export function logHooksCommand(context: CommandContext): Command {
  return new Command('log')
    .description('Show the runs of hooks, newest first.')
    .argument('[name]', 'only runs of this hook; or the id of a run, to see it in full')
    .option('--limit <n>', 'how many', positiveNumber, 20)
    .action(async (name: string | undefined, options: LogOptions) => {
      const { stdout } = context.terminal;
      const { limit } = options;
      const one = name === undefined ? undefined : await findRun(name, options, context);
      if (one !== undefined) {
        stdout.write(
          options.json ? `${JSON.stringify({ run: one }, undefined, 2)}\n` : describeRun(one),
        );
      } else {
        const params = { limit, ...(name !== undefined && { hook: name }) };
        const { runs } = (await askHooks('runs', params, options, context)).value;
        if (options.json) stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
        else if (runs.length === 0) stdout.write('No runs yet.\n');
        else {
          const tones = runs.map(({ status }) => runTones[status]);
          stdout.write(table(runs.map(rowOf), paintColumn(stdout.paint, 2, tones)));
        }
      }
      context.end(exitCode.ok);
    });
}

async function findRun(
  id: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<HookRun | undefined> {
  if (!/^[0-9a-f-]{6,36}$/.test(id)) return undefined;
  const { value } = await askHooks('show-run', { run: id }, options, context).catch(() => ({
    value: undefined,
  }));
  return value?.run;
}

interface EmitOptions extends CommonOptions {
  readonly stdin?: boolean;
  readonly hook?: string;
  readonly id?: string;
}

/** `errand hooks emit`: hands an event to the hooks of the vault. */
export function emitHookCommand(context: CommandContext): Command {
  return new Command('emit')
    .description('Tell the hooks of this vault that something happened.')
    .argument('<kind>', 'agent-operation, file, git, call, server, mail, http, schedule or manual')
    .argument(
      '[field=value...]',
      'what is known of it, for example operation=plan or file.path=Inbox/a.md',
    )
    .option('--stdin', 'read further fields as a JSON object from standard input')
    .option('--hook <name>', 'only for this hook')
    .option('--id <id>', 'the same id counts once, however often it is told')
    .action(async (kind: string, pairs: string[], options: EmitOptions) => {
      const { stdout, env } = context.terminal;
      const piped = options.stdin ? await readFields(context) : {};
      const event = {
        kind,
        fields: { ...piped, ...fieldsOf(pairs) },
        ...(options.id !== undefined && { id: options.id }),
        ...(options.hook !== undefined && { hookId: options.hook }),
        ...chainIn(env),
      };
      const { value } = await askHooks(
        'emit',
        { event: event as unknown as HookEvent },
        options,
        context,
      );
      const began =
        value.runs.length === 0 ? 'No hook ran for it.' : `Began: ${value.runs.join(', ')}.`;
      stdout.write(options.json ? `${JSON.stringify(value, undefined, 2)}\n` : `${began}\n`);
      context.end(exitCode.ok);
    });
}

async function readFields({ terminal, signal }: CommandContext): Promise<Record<string, unknown>> {
  const text = await readAll(terminal.stdin, signal);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw new HostError('settings_invalid', 'Standard input is not a JSON object with fields.');
}

/** The chain that this program was started in, where a hook did. */
function chainIn(env: CommandContext['terminal']['env']): Pick<HookEvent, 'chain'> {
  const chain = readChain(env);
  return chain === undefined ? {} : { chain };
}

/** `a.b=c` as `{ a: { b: 'c' } }`. */
function fieldsOf(pairs: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new HostError('settings_invalid', `Write field=value instead of "${pair}".`);
    const path = pair.slice(0, at).split('.');
    const last = path.pop() ?? '';
    if ([...path, last].includes('__proto__')) continue;
    let inner = fields;
    for (const name of path) {
      const known = Object.hasOwn(inner, name) ? inner[name] : undefined;
      const next = isRecord(known) ? (known as Record<string, unknown>) : {};
      inner[name] = next;
      inner = next;
    }
    inner[last] = pair.slice(at + 1);
  }
  return fields;
}

const runTones: Readonly<Record<HookRun['status'], Tone | undefined>> = {
  queued: undefined,
  running: 'accent',
  success: 'good',
  failure: 'bad',
  timeout: 'bad',
  lost: 'bad',
  cancelled: 'warn',
  skipped: undefined,
};

function rowOf(run: HookRun): readonly string[] {
  const { startedAt, endedAt, hookName, status, event, message = '' } = run;
  const took = endedAt === undefined ? '' : duration(endedAt - startedAt);
  return [timeText(startedAt), hookName, status, event.kind, took, run.id.slice(0, 8), message];
}

function describeRun(run: HookRun): string {
  const { chain, event, startedAt, endedAt, message } = run;
  const rows = [
    ['run', run.id],
    ['hook', run.hookName],
    ['status', run.status],
    ['event', `${event.kind} ${timeText(event.at)}`],
    ['chain', `${chain.id}, depth ${chain.depth}`],
    ['began', timeText(startedAt)],
    ...(endedAt === undefined ? [] : [['took', duration(endedAt - startedAt)]]),
  ];
  const actions = run.actions.flatMap((action, index) => {
    const { type, status, durationMs, parameterResolutions, output, outputFile } = action;
    const shown = output === undefined ? undefined : JSON.stringify(output);
    return [
      [`action ${index + 1}`, `${type} ${status} after ${duration(durationMs)}`],
      ...(parameterResolutions ? [['', `parameters ${JSON.stringify(parameterResolutions)}`]] : []),
      ...(shown === undefined ? [] : [['', `output ${shown.slice(0, 500)}`]]),
      ...(outputFile === undefined ? [] : [['', `whole output in ${outputFile}`]]),
      ...(action.message === undefined ? [] : [['', action.message]]),
    ];
  });
  const advice = run.actions.find((action) => action.message === message)?.advice ?? [];
  const end = message === undefined ? '' : advisedText({ message, advice });
  return table([...rows, ...actions]) + end;
}
