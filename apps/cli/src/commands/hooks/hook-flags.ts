import type { Hook } from '@errand/hooks';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { type Command, Option } from 'commander';
import type { CommonOptions } from '../../command-context.ts';
import { positiveNumber } from '../../positive-number.ts';

/** What a hook is made of on the command line. */
export interface HookFlags extends CommonOptions {
  readonly on?: Hook['trigger']['kind'];
  readonly events?: string;
  readonly glob?: string;
  readonly branch?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly missed?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly status?: string;
  readonly source?: string;
  readonly agent?: string;
  readonly operation?: string;
  readonly timing?: string;
  readonly if?: readonly string[];
  readonly mode?: string;
  readonly max?: number;
  readonly runsPerHour?: number;
  readonly call?: string;
  readonly set?: readonly string[];
  readonly commit?: string;
  readonly ask?: string;
  readonly prompt?: string;
  readonly action?: readonly string[];
  readonly timeout?: number;
  readonly onError?: string;
  readonly template?: string;
  readonly from?: string;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** Adds the options that say what a hook is. */
export function withHookFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--on <kind>', 'what makes it run').choices([
        'agent-operation',
        'file',
        'git',
        'schedule',
        'call',
        'server',
        'mail',
        'http',
        'manual',
      ]),
    )
    .option(
      '--events <list>',
      'of files, git, servers or mail, separated by commas: created,changed',
    )
    .option('--glob <pattern>', 'which files, for example Inbox/*.md')
    .option('--branch <name>', 'which branch')
    .option('--cron <fields>', 'when, for example "0 7 * * 1-5"')
    .option('--time-zone <zone>', 'for example Europe/Berlin')
    .addOption(
      new Option('--missed <what>', 'runs that nothing was there for').choices(['skip', 'once']),
    )
    .option('--server <name>', 'calls of this server')
    .option('--tool <name>', 'calls of this tool')
    .option('--status <list>', 'calls that ended so, for example error,timeout')
    .option('--source <source>', 'calls from there, for example user-codeblock')
    .addOption(new Option('--agent <agent>', 'whose operation').choices(['speckit', 'openspec']))
    .option('--operation <name>', 'for example plan')
    .addOption(new Option('--timing <when>', 'of an operation').choices(['before', 'after']))
    .option(
      '--if <condition>',
      'field=value, field!=value, field~regex, field:glob or field; repeatable',
      collect,
    )
    .addOption(
      new Option('--mode <mode>', 'what happens to an event while it runs').choices([
        'single',
        'restart',
        'queued',
        'parallel',
      ]),
    )
    .option('--max <n>', 'runs at once in mode parallel', positiveNumber)
    .option('--runs-per-hour <n>', 'more pause it', positiveNumber)
    .option('--call <server/tool>', 'calls a tool')
    .option(
      '--set <param=value>',
      'a parameter: text, {{ template }} or @field; repeatable',
      collect,
    )
    .option('--commit <message>', 'commits what changed, with this message')
    .option('--ask <assistant>', 'asks an assistant')
    .option('--prompt <text>', 'what it is asked')
    .option('--action <json>', 'any action as JSON; repeatable', collect)
    .option('--timeout <seconds>', '1 to 300, for each action', positiveNumber)
    .addOption(
      new Option('--on-error <what>', 'after a failed action').choices(['continue', 'stop']),
    )
    .addOption(
      new Option('--template <name>', 'starts from a template').choices([
        'post-after-plan',
        'issue-for-failed-call',
        'commit-every-evening',
        'label-sent-mail',
        'run-note-every-morning',
      ]),
    )
    .option('--from <file>', 'reads the hook as JSON from a file, or - for standard input');
}

type Raw = Readonly<Record<string, unknown>>;

/** A hook with what the options say; `program` is what stood behind `--`. */
export async function applyFlags(
  base: Raw,
  flags: HookFlags,
  program: readonly string[],
): Promise<Hook> {
  // Loaded by those who use it: it would cost every other command its time.
  const { hookSchema, hookTemplates } = await import('@errand/hooks');
  const template = hookTemplates.find(({ key }) => key === flags.template)?.hook;
  const start = { ...base, ...(template && { ...template, name: base.name }) } as Raw;
  const trigger = triggerOf(flags, isRecord(start.trigger) ? start.trigger : {});
  const actions = actionsOf(flags, program);
  const { mode, max, runsPerHour } = flags;
  const raw = {
    ...start,
    ...(trigger && { trigger }),
    ...(flags.if && { conditions: flags.if.map(conditionOf) }),
    ...(mode && { mode }),
    ...(max && { max }),
    ...(runsPerHour && { runsPerHour }),
    ...(actions.length > 0 && { actions }),
  };
  const parsed = hookSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new HostError(
    'settings_invalid',
    `${place === '' ? 'The hook' : place}: ${issue?.message}`,
  );
}

const triggerFlags = [
  'glob',
  'branch',
  'cron',
  'timeZone',
  'missed',
  'server',
  'tool',
  'source',
  'agent',
  'operation',
  'timing',
] as const;

function triggerOf(flags: HookFlags, before: Raw): Raw | undefined {
  const given = Object.fromEntries(
    triggerFlags.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
  const lists = {
    ...(flags.events && { events: listOf(flags.events) }),
    ...(flags.status && { status: listOf(flags.status) }),
  };
  const isGiven = Object.keys({ ...given, ...lists }).length > 0;
  if (flags.on === undefined && !isGiven) return undefined;
  const kind = flags.on ?? before.kind;
  const kept = kind === before.kind ? before : (defaults[String(kind)] ?? {});
  return { ...kept, kind, ...given, ...lists };
}

const defaults: Readonly<Record<string, Raw>> = {
  file: { events: ['created', 'changed'] },
  git: { events: ['commit'] },
  server: { events: ['lost', 'auto-disabled'] },
  mail: { events: ['received'] },
  'agent-operation': { timing: 'after' },
};

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

function conditionOf(text: string): Raw {
  const [, field = text, operator, value = ''] =
    /^([^=!~:]+)(!=|!~|!:|=|~|:)(.*)$/s.exec(text) ?? [];
  const test = { '=': 'equals', '~': 'matches', ':': 'glob' }[operator?.at(-1) ?? ''];
  const isNot = operator?.startsWith('!');
  if (test !== undefined) return { field, [test]: value, ...(isNot && { not: true }) };
  return field.startsWith('!') ? { field: field.slice(1), exists: false } : { field, exists: true };
}

function actionsOf(flags: HookFlags, program: readonly string[]): readonly unknown[] {
  const { call, commit, ask, prompt, action = [], set = [], onError } = flags;
  const timeout = flags.timeout === undefined ? {} : { timeout: flags.timeout * 1000 };
  const [command, ...args] = program;
  const [, serverId = '', toolName = ''] = /^(.*?)\/(.*)$/.exec(call ?? '') ?? [];
  if (call !== undefined && toolName === '') {
    throw new HostError('settings_invalid', `Write --call SERVER/TOOL instead of "${call}".`);
  }
  const made = [
    call !== undefined && {
      type: 'mcp',
      parameters: { serverId, toolName, parameterMappings: set.map(mappingOf), ...timeout },
    },
    commit !== undefined && {
      type: 'git',
      parameters: { operation: 'commit', messageTemplate: commit, paths: ['.'], ...timeout },
    },
    ask !== undefined && {
      type: 'agent',
      parameters: { assistant: ask, prompt: prompt ?? '', ...timeout },
    },
    command !== undefined && { type: 'custom', parameters: { command, args, ...timeout } },
  ].filter((each) => each !== false);
  const all: readonly unknown[] = [...made, ...action.map(parseAction)];
  return onError === undefined ? all : all.map((each) => ({ ...(each as Raw), onError }));
}

function mappingOf(text: string): Raw {
  const at = text.indexOf('=');
  if (at <= 0)
    throw new HostError('settings_invalid', `Write --set PARAM=VALUE instead of "${text}".`);
  const [toolParam, value] = [text.slice(0, at), text.slice(at + 1)];
  if (value.startsWith('@')) return { toolParam, source: 'context', value: value.slice(1) };
  return { toolParam, source: value.includes('{{') ? 'template' : 'literal', value };
}

function parseAction(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError(
      'settings_invalid',
      '--action is not JSON. Write {"type": …, "parameters": {…}}.',
    );
  }
}
