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
  readonly wait?: boolean;
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
  readonly writes?: string;
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
    .option('--wait', 'before an operation: the agent waits for it, and may be denied')
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
    .option('--writes <pattern>', 'the files of the vault that its action writes, or nothing')
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
  const earlier = Array.isArray(base.actions) ? base.actions.filter(isRecord) : [];
  const given = actionsOf(flags, program, template?.actions ?? (earlier as Hook['actions']));
  const actions = given.length > 0 || template ? given : changedActions(earlier, flags);
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
    ...(flags.wait && { waitForCompletion: true }),
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

function actionsOf(
  flags: HookFlags,
  program: readonly string[],
  templateActions: Hook['actions'] = [],
): readonly unknown[] {
  const { call, commit, ask, prompt, action = [], set = [], onError, writes } = flags;
  const timeout = flags.timeout === undefined ? {} : { timeout: flags.timeout * 1000 };
  const [command, ...args] = program;
  const [, serverId = '', toolName = ''] = /^(.*?)\/(.*)$/.exec(call ?? '') ?? [];
  if (call !== undefined && toolName === '') {
    throw new HostError('settings_invalid', `Write --call SERVER/TOOL instead of "${call}".`);
  }
  const [inTemplate] = templateActions.flatMap((each) => (each.type === 'mcp' ? [each] : []));
  const proposed = inTemplate?.parameters.parameterMappings ?? [];
  const parameterMappings = set.length > 0 ? set.map(mappingOf) : proposed;
  const made = [
    call !== undefined && {
      type: 'mcp',
      parameters: { serverId, toolName, parameterMappings, ...timeout },
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
  const written = made.map((each) =>
    writes && each.type !== 'git' ? withWrites(each, writes) : each,
  );
  const all: readonly unknown[] = [...written, ...action.map(parseAction)];
  return onError === undefined ? all : all.map((each) => ({ ...(each as Raw), onError }));
}

function withWrites(
  action: { readonly type: string; readonly parameters: object },
  writes: string,
) {
  return { ...action, parameters: { ...action.parameters, writes } };
}

/** The actions that a hook has, with what the options say of each. */
function changedActions(
  actions: readonly Raw[],
  { set = [], prompt, timeout, onError, writes }: HookFlags,
): readonly Raw[] {
  const calls = actions.filter(({ type }) => type === 'mcp').length;
  if (set.length > 0 && calls !== 1) {
    const message = `--set changes the parameters of one call, and there ${calls === 0 ? 'is none' : `are ${calls}`}. Write the actions with --action.`;
    throw new HostError('settings_invalid', message);
  }
  return actions.map((action) => {
    const { type } = action;
    const parameters = isRecord(action.parameters) ? action.parameters : {};
    const { parameterMappings } = parameters;
    return {
      ...action,
      parameters: {
        ...parameters,
        ...(timeout !== undefined && !('command' in parameters && type === 'agent')
          ? { timeout: timeout * 1000 }
          : {}),
        ...(type === 'mcp' &&
          set.length > 0 && {
            parameterMappings: mergedMappings(parameterMappings, set.map(mappingOf)),
          }),
        ...(type === 'agent' && prompt !== undefined && { prompt }),
        ...(writes !== undefined && (type === 'mcp' || type === 'custom') && { writes }),
      },
      ...(onError !== undefined && { onError }),
    };
  });
}

/** New mappings take the place of those for the same parameter. */
function mergedMappings(before: unknown, set: readonly Raw[]): readonly unknown[] {
  const kept = (Array.isArray(before) ? before : []).filter(
    (mapping) => !set.some(({ toolParam }) => isRecord(mapping) && mapping.toolParam === toolParam),
  );
  return [...kept, ...set];
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
