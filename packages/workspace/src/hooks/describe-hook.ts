import type { Condition, Hook, HookAction, HookReasons, HookTest, Trigger } from '@errand/hooks';
import { findClearSecrets, quoteWord } from '@errand/host';

/** When a hook runs, in a few words. */
export function describeTrigger(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'agent-operation':
      return `${trigger.timing} ${trigger.operation} of ${trigger.agent}${trigger.waitForCompletion ? ', which waits for it' : ''}`;
    case 'file':
      return `${trigger.events.join(' or ')}: ${trigger.glob}`;
    case 'git':
      return `git ${trigger.events.join(' or ')}${trigger.branch ? ` on ${trigger.branch}` : ''}`;
    case 'schedule':
      return `${describeCron(trigger.cron)}${trigger.timeZone ? ` (${trigger.timeZone})` : ''}`;
    case 'call': {
      const { server, tool, status, source } = trigger;
      const parts = [server, tool, status?.join(' or '), source && `from ${source}`];
      return ['call', ...parts.filter((part) => part !== undefined)].join(' ');
    }
    case 'server':
      return `server ${trigger.events.join(' or ')}`;
    case 'mail':
      return `mail ${trigger.events.join(' or ')}`;
    case 'http':
      return 'HTTP request';
    case 'manual':
      return 'when asked';
  }
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The usual schedules in words; the others as they are written. */
function describeCron(cron: string): string {
  const [minute = '', hour = '', day, month, weekday = '', ...rest] = cron.trim().split(/\s+/);
  const written = `at ${cron}`;
  if (rest.length > 0 || day !== '*' || month !== '*' || !/^\d{1,2}$/.test(minute)) return written;
  const minutes = minute.padStart(2, '0');
  if (hour === '*' && weekday === '*') return `every hour at :${minutes}`;
  if (!/^\d{1,2}$/.test(hour)) return written;
  const time = `${hour.padStart(2, '0')}:${minutes}`;
  if (weekday === '*') return `every day at ${time}`;
  if (weekday === '1-5') return `Monday to Friday at ${time}`;
  const name = /^[0-7]$/.test(weekday) ? days[Number(weekday) % 7] : undefined;
  return name === undefined ? written : `every ${name} at ${time}`;
}

/** What of an event a trigger did not fit. */
export function describeMismatch({
  field,
  expected,
  actual,
}: NonNullable<HookTest['mismatch']>): string {
  return `${field} was ${JSON.stringify(actual) ?? 'missing'}, not ${JSON.stringify(expected)}`;
}

/** What became of one event for a hook. */
export function describeVerdict(event: HookReasons['events'][number]): string {
  switch (event.kind) {
    case 'runs': {
      const { run } = event;
      if (run === undefined) return 'this event fits its trigger and conditions.';
      return `this event fits; the run: ${run.status}. ${run.message ?? ''}`.trimEnd();
    }
    case 'trigger':
      return `the trigger did not fit: ${describeMismatch(event)}.`;
    case 'condition':
      return `a condition failed: ${describeCondition(event.condition)}, but it was ${JSON.stringify(event.actual) ?? 'missing'}. ${event.problem ?? ''}`.trimEnd();
  }
}

/** A condition in a line. */
export function describeCondition(condition: Condition): string {
  const { field, not = false } = condition;
  if ('equals' in condition) return `${field} ${not ? '!=' : '='} ${condition.equals}`;
  const no = not ? 'not ' : '';
  if ('in' in condition) return `${field} ${no}in ${condition.in.join(', ')}`;
  if ('matches' in condition) return `${field} ${no}~ ${condition.matches}`;
  if ('glob' in condition) return `${field} ${no}like ${condition.glob}`;
  return `${field} ${condition.exists === not ? 'is missing' : 'exists'}`;
}

/** What an action does, in a line. */
export function describeAction(action: HookAction): string {
  switch (action.type) {
    case 'mcp':
      return `call ${action.parameters.toolName} of ${action.parameters.serverId}`;
    case 'agent':
      return 'command' in action.parameters
        ? `run ${action.parameters.command} in the editor`
        : `ask ${action.parameters.assistant}: ${action.parameters.prompt}`;
    case 'git':
      return `git ${action.parameters.operation}`;
    case 'github':
      return `GitHub ${action.parameters.operation}`;
    case 'custom': {
      const { command, args = [] } = action.parameters;
      return `run ${[command, ...args].map(quoteWord).join(' ')}`;
    }
  }
}

/** What an action does it with, in lines: everything that a person agrees to besides `describeAction`. */
function describeParameters({ type, parameters, onError }: HookAction): readonly string[] {
  const { parameterMappings = [], ...others } =
    type === 'mcp' ? parameters : { ...parameters, parameterMappings: [] };
  const told: ReadonlySet<string> = new Set(shownAbove[type]);
  const rest = Object.entries(others).filter(([name]) => !told.has(name));
  return [
    ...parameterMappings.map(({ toolParam, source, value }) => {
      return `${toolParam} = ${source === 'context' ? `the field ${value}` : JSON.stringify(value)}`;
    }),
    ...rest.map(([name, value]) => `${name}: ${wordOf(withoutSecrets(name, value))}`),
    ...(onError === 'stop' ? ['ends the hook when it fails'] : []),
  ];
}

/** The parameters that the line of an action has already. */
const shownAbove = {
  mcp: ['toolName', 'serverId'],
  agent: ['command', 'assistant', 'prompt'],
  git: ['operation'],
  github: ['operation'],
  custom: ['command', 'args'],
} as const satisfies Readonly<Record<HookAction['type'], readonly string[]>>;

/** A parameter without values that look like secrets in the clear: what is agreed to is shown to others, too. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    return findClearSecrets({ [name]: value }).length > 0 ? '[hidden]' : value;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, withoutSecrets(key, part)]);
  return Object.fromEntries(parts);
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? quoteWord(value) : JSON.stringify(value);
}

/** A hook with the names of servers in place of their ids, to be shown. */
export function nameServers(
  hook: Hook,
  servers: readonly { readonly id: string; readonly name: string }[],
): Hook {
  const nameOf = (id: string) => servers.find((server) => server.id === id)?.name ?? id;
  const actions = hook.actions.map((action) => {
    if (action.type !== 'mcp') return action;
    const { parameters } = action;
    return { ...action, parameters: { ...parameters, serverId: nameOf(parameters.serverId) } };
  });
  return { ...hook, actions };
}

/** All that a hook does, in lines. */
export function describeHook(hook: Hook): readonly string[] {
  const { trigger, conditions, mode, max, runsPerHour, actions } = hook;
  return [
    `when: ${describeTrigger(trigger)}`,
    ...conditions.map((condition) => `if: ${describeCondition(condition)}`),
    ...actions.flatMap((action) => [
      `then: ${describeAction(action)}`,
      ...describeParameters(action).map((line) => `  ${line}`),
    ]),
    `mode: ${mode}${max === undefined ? '' : `, at most ${max} at once`}`,
    ...(runsPerHour === 60 ? [] : [`at most ${runsPerHour} runs an hour`]),
  ];
}
