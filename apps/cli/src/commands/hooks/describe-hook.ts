import type { Condition, Hook, HookAction, Trigger } from '@errand/hooks';

/** When a hook runs, in a few words. */
export function describeTrigger(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'agent-operation':
      return `${trigger.timing} ${trigger.operation} of ${trigger.agent}`;
    case 'file':
      return `${trigger.events.join(' or ')}: ${trigger.glob}`;
    case 'git':
      return `git ${trigger.events.join(' or ')}${trigger.branch ? ` on ${trigger.branch}` : ''}`;
    case 'schedule':
      return `at ${trigger.cron}${trigger.timeZone ? ` (${trigger.timeZone})` : ''}`;
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

/** A condition as it is written on the command line. */
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
function describeAction(action: HookAction): string {
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
    case 'custom':
      return `run ${[action.parameters.command, ...(action.parameters.args ?? [])].join(' ')}`;
  }
}

/** All that a hook does, in lines. */
export function describeHook({ trigger, conditions, mode, actions }: Hook): readonly string[] {
  return [
    `when: ${describeTrigger(trigger)}`,
    ...conditions.map((condition) => `if: ${describeCondition(condition)}`),
    ...actions.map((action) => `then: ${describeAction(action)}`),
    `mode: ${mode}`,
  ];
}
