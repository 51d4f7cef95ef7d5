import { z } from 'zod';

// Every message says what to write. None repeats what was written: it may be a secret.

const write = (advice: string) => ({ error: `Write ${advice}.` });
// Lengths are tested by `refine`: `min` and `max` also look at the `length` of what is neither text nor list, which may
// be an object that cannot be compared.
const text = (advice: string) =>
  z.string(write(advice)).refine((value) => value.length > 0, write(advice));
const list = <Item extends z.ZodType>(item: Item, advice: string) =>
  z.array(item, write(advice)).refine((items) => items.length > 0, write(advice));

/** The operations of SpecKit and OpenSpec. */
export const agentOperations = [
  'research',
  'datamodel',
  'design',
  'specify',
  'clarify',
  'plan',
  'tasks',
  'taskstoissues',
  'analyze',
  'checklist',
  'constitution',
  'implementation',
  'unit-test',
  'integration-test',
] as const;

export type AgentOperation = (typeof agentOperations)[number];

const eventsOf = <Names extends readonly [string, ...string[]]>(names: Names) => {
  const advice = `a list of ${names.map((name) => `"${name}"`).join(', ')}`;
  return list(z.enum(names, write(advice)), advice);
};

/** What makes a hook run. */
export const triggerSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({
      kind: z.literal('agent-operation'),
      agent: z.enum(['speckit', 'openspec'], write('"speckit" or "openspec"')),
      operation: z.enum(agentOperations, write(`one of ${agentOperations.join(', ')}`)),
      timing: z.enum(['before', 'after'], write('"before" or "after"')),
      /** Whether the agent waits until the hook has run; only for `before`. */
      waitForCompletion: z.boolean(write('true or false')).optional(),
    }),
    z.object({
      kind: z.literal('file'),
      events: eventsOf(['created', 'changed', 'deleted']),
      glob: text('a pattern of paths in the vault, for example "Inbox/*.md"'),
    }),
    z.object({
      kind: z.literal('git'),
      events: eventsOf(['commit', 'checkout', 'merge', 'rebase', 'push', 'tag']),
      branch: text('the name of a branch').optional(),
    }),
    z.object({
      kind: z.literal('schedule'),
      cron: text('five fields of cron, for example "0 7 * * 1-5"'),
      timeZone: text('a time zone, for example "Europe/Berlin"').optional(),
      /** What happens to a run that fell into a time when nothing ran. */
      missed: z.enum(['skip', 'once'], write('"skip" or "once"')).default('skip'),
    }),
    z.object({
      kind: z.literal('call'),
      server: text("a server's id or name").optional(),
      tool: text("a tool's name").optional(),
      status: eventsOf(['success', 'error', 'timeout', 'cancelled']).optional(),
      source: text('where calls come from, for example "user-codeblock"').optional(),
    }),
    z.object({
      kind: z.literal('server'),
      events: eventsOf(['connected', 'lost', 'auto-disabled']),
    }),
    z.object({
      kind: z.literal('mail'),
      events: eventsOf(['received', 'drafted', 'approved', 'sent', 'failed']),
    }),
    z.object({ kind: z.literal('http') }),
    z.object({ kind: z.literal('manual') }),
  ],
  write('"kind" as one of agent-operation, file, git, schedule, call, server, mail, http, manual'),
);

const conditionBase = {
  field: text('the name of a field, for example "branch" or "call.status"'),
  not: z.boolean(write('true or false')).optional(),
};

/** What must hold about an event. */
export const conditionSchema = z.union(
  [
    z.strictObject({ ...conditionBase, equals: z.union([z.string(), z.number(), z.boolean()]) }),
    z.strictObject({
      ...conditionBase,
      in: list(z.union([z.string(), z.number(), z.boolean()]), 'a list of values'),
    }),
    z.strictObject({ ...conditionBase, matches: text('a regular expression') }),
    z.strictObject({ ...conditionBase, glob: text('a pattern of paths') }),
    z.strictObject({ ...conditionBase, exists: z.boolean() }),
  ],
  write('"field" and one of equals, in, matches, glob, exists'),
);

export const parameterMappingSchema = z.object({
  toolParam: text("the name of a tool's parameter"),
  source: z.enum(['context', 'literal', 'template'], write('"context", "literal" or "template"')),
  value: z.string(write('text')),
});

const timeout = z
  .number(write('milliseconds from 1000 to 300000'))
  .min(1_000, write('at least 1000, which is one second'))
  .max(300_000, write('at most 300000, which is five minutes'));

const onError = z.enum(['continue', 'stop'], write('"continue" or "stop"')).optional();

/** The files of the vault that an action writes, without which all that change meanwhile count as written by it. */
const writes = text('a pattern of the files that it writes, or "nothing"').optional();

const mcpSchema = z.object({
  type: z.literal('mcp'),
  onError,
  parameters: z.object({
    serverId: text("a server's id or name"),
    toolName: text("a tool's name"),
    parameterMappings: z.array(parameterMappingSchema, write('a list of mappings')),
    timeout: timeout.optional(),
    writes,
  }),
});

const agentSchema = z.object({
  type: z.literal('agent'),
  onError,
  parameters: z.union(
    [
      z.object({
        assistant: text("an assistant's name"),
        prompt: text('a prompt'),
        note: text('a note of the vault').optional(),
        timeout: timeout.optional(),
        writes,
      }),
      z.object({ command: text('a chat command, for example "/speckit.plan"') }),
    ],
    write('"assistant" and "prompt", or "command"'),
  ),
});

const gitSchema = z.object({
  type: z.literal('git'),
  onError,
  parameters: z.object({
    operation: z.enum(
      ['commit', 'push', 'pull', 'create-branch', 'checkout-branch', 'merge', 'tag', 'stash'],
      write(
        'commit, push, pull, create-branch, checkout-branch, merge, tag or stash as "operation"',
      ),
    ),
    messageTemplate: z
      .string(write('text'))
      .refine((value) => value.length <= 500, write('at most 500 characters'))
      .optional(),
    paths: z.array(text('a path'), write('a list of paths')).optional(),
    branch: text('a branch, may be a template').optional(),
    tag: text('a tag, may be a template').optional(),
    remote: text('the name of a remote').optional(),
    pushToRemote: z.boolean(write('true or false')).optional(),
    timeout: timeout.optional(),
  }),
});

const githubSchema = z.object({
  type: z.literal('github'),
  onError,
  parameters: z.looseObject({
    operation: z.enum(
      [
        'open-issue',
        'close-issue',
        'create-pr',
        'merge-pr',
        'close-pr',
        'add-comment',
        'add-label',
        'remove-label',
        'request-review',
        'assign-issue',
        'create-release',
      ],
      write('an operation of GitHub, for example "open-issue"'),
    ),
    repository: text('"owner/name", may be a template').optional(),
    token: text(`a secret, for example "$\{secret:github}"`),
    /** Of a GitHub Enterprise server. */
    url: text('the address of the API').optional(),
    timeout: timeout.optional(),
  }),
});

const customSchema = z.object({
  type: z.literal('custom'),
  onError,
  parameters: z.object({
    command: text('a program'),
    args: z.array(z.string(write('text')), write('a list of arguments')).optional(),
    cwd: text('a folder').optional(),
    env: z.record(z.string(), z.string(write('text'))).optional(),
    timeout: timeout.optional(),
    writes,
  }),
});

/** What a hook does. */
export const actionSchema = z.discriminatedUnion(
  'type',
  [mcpSchema, agentSchema, gitSchema, githubSchema, customSchema],
  write('"type" as one of mcp, agent, git, github, custom'),
);

/** One hook as `.errand/hooks.json` has it. */
export const hookSchema = z.object({
  id: text('an id, for example a UUID'),
  name: text('a name').refine(
    (name) => name.length <= 100,
    write('a name of at most 100 characters'),
  ),
  enabled: z.boolean(write('true or false')).default(true),
  trigger: triggerSchema,
  conditions: z.array(conditionSchema, write('a list of conditions')).default([]),
  mode: z
    .enum(
      ['single', 'restart', 'queued', 'parallel'],
      write('"single", "restart", "queued" or "parallel"'),
    )
    .default('queued'),
  /** Runs at once in mode `parallel`. */
  max: z.int(write('a whole number')).min(1, write('1 or more')).optional(),
  /** Runs an hour before the hook is paused. */
  runsPerHour: z.int(write('a whole number')).min(1, write('1 or more')).default(60),
  actions: list(actionSchema, 'a list of one or more actions'),
  createdAt: z.number(write('milliseconds since 1970')).default(0),
  modifiedAt: z.number(write('milliseconds since 1970')).default(0),
});

export type Hook = Readonly<z.infer<typeof hookSchema>>;
export type Trigger = Readonly<z.infer<typeof triggerSchema>>;
export type TriggerKind = Trigger['kind'];
export type Condition = Readonly<z.infer<typeof conditionSchema>>;
export type HookAction = Readonly<z.infer<typeof actionSchema>>;
export type ActionType = HookAction['type'];
export type ActionOf<Type extends ActionType> = Extract<HookAction, { type: Type }>;
