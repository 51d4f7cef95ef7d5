import type { ActionOf, Hook } from '../hook-schema.ts';

/** A hook to start from. */
export interface HookTemplate {
  readonly key: string;
  readonly hook: Omit<Hook, 'id' | 'createdAt' | 'modifiedAt'>;
  /** The values that a person must fill in, as paths such as `actions.0.parameters.serverId`. */
  readonly open: readonly string[];
}

const common = {
  enabled: true,
  conditions: [],
  mode: 'queued',
  runsPerHour: 60,
} satisfies Partial<Hook>;

const openCall = ['actions.0.parameters.serverId', 'actions.0.parameters.toolName'];

/** A call whose server and tool a person fills in. */
function callWith(
  parameterMappings: ActionOf<'mcp'>['parameters']['parameterMappings'],
): ActionOf<'mcp'> {
  return { type: 'mcp', parameters: { serverId: '', toolName: '', parameterMappings } };
}

/** Hooks that many people want, each for another kind of event. */
export const hookTemplates: readonly HookTemplate[] = [
  {
    key: 'post-after-plan',
    hook: {
      ...common,
      name: 'Post to a channel after a plan',
      trigger: { kind: 'agent-operation', agent: 'speckit', operation: 'plan', timing: 'after' },
      actions: [
        callWith([
          { toolParam: 'channel', source: 'literal', value: 'plans' },
          {
            toolParam: 'text',
            source: 'template',
            value: '{{ feature }}: plan ready on {{ branch }}',
          },
        ]),
      ],
    },
    open: openCall,
  },
  {
    key: 'issue-for-failed-call',
    hook: {
      ...common,
      name: 'Open an issue for each failed call',
      trigger: { kind: 'call', status: ['error', 'timeout'] },
      // A failure of a hook must not open issues about itself.
      conditions: [{ field: 'call.source', equals: 'hook', not: true }],
      runsPerHour: 10,
      actions: [
        {
          type: 'github',
          parameters: {
            operation: 'open-issue',
            repository: '{{ repoOwner }}/{{ repoName }}',
            title: '{{ call.server }}/{{ call.tool }} failed',
            body: '{{ call.error.message }}\n\n{{ timestamp }}',
            token: `$\{secret:github}`,
          },
        },
      ],
    },
    open: [],
  },
  {
    key: 'commit-every-evening',
    hook: {
      ...common,
      name: 'Commit notes every evening',
      trigger: { kind: 'schedule', cron: '0 20 * * *', missed: 'once' },
      actions: [
        {
          type: 'git',
          parameters: {
            operation: 'commit',
            messageTemplate: 'notes: {{ timestamp | date: "%Y-%m-%d" }}',
            paths: ['.'],
          },
        },
      ],
    },
    open: [],
  },
  {
    key: 'label-sent-mail',
    hook: {
      ...common,
      name: 'Label a mail when it was sent',
      trigger: { kind: 'mail', events: ['sent'] },
      actions: [
        callWith([
          { toolParam: 'message_id', source: 'context', value: 'mail.messageId' },
          { toolParam: 'label_name', source: 'literal', value: 'sent-by-errand' },
        ]),
      ],
    },
    open: openCall,
  },
  {
    key: 'run-note-every-morning',
    hook: {
      ...common,
      name: 'Run the blocks of a note every morning',
      trigger: { kind: 'schedule', cron: '0 7 * * 1-5', missed: 'once' },
      actions: [
        {
          type: 'custom',
          parameters: { command: 'errand', args: ['run', 'Today.md'], timeout: 300_000 },
        },
      ],
    },
    open: ['actions.0.parameters.args.1'],
  },
];
