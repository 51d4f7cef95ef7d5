import type { Trigger, TriggerKind } from '@errand/hooks';
import type { FieldSpec } from './form-fields.ts';

type Operation = Extract<Trigger, { kind: 'agent-operation' }>['operation'];

/** Every operation, by the name that agents give it. */
const operations: Readonly<Record<Operation, string>> = {
  research: 'Research',
  datamodel: 'Data model',
  design: 'Design',
  specify: 'Specify',
  clarify: 'Clarify',
  plan: 'Plan',
  tasks: 'Tasks',
  taskstoissues: 'Tasks to issues',
  analyze: 'Analyze',
  checklist: 'Checklist',
  constitution: 'Constitution',
  implementation: 'Implementation',
  'unit-test': 'Unit test',
  'integration-test': 'Integration test',
};

const same = (...names: string[]) => names.map((name) => [name, name] as const);
const events = (...names: string[]): FieldSpec => ({
  name: 'events',
  label: 'Events',
  kind: 'choices',
  options: same(...names),
  isRequired: true,
});

/** What a hook can wait for, and the fields of each kind. */
export const triggerKinds: Readonly<
  Record<TriggerKind, { readonly label: string; readonly fields: readonly FieldSpec[] }>
> = {
  'agent-operation': {
    label: 'An agent works on a specification',
    fields: [
      {
        name: 'agent',
        label: 'Agent',
        kind: 'choice',
        options: [
          ['speckit', 'SpecKit'],
          ['openspec', 'OpenSpec'],
        ],
        isRequired: true,
      },
      {
        name: 'operation',
        label: 'Operation',
        kind: 'choice',
        options: Object.entries(operations),
        isRequired: true,
      },
      {
        name: 'timing',
        label: 'When',
        kind: 'choice',
        options: [
          ['after', 'after it'],
          ['before', 'before it'],
        ],
        hint: 'Files tell only of what has happened: before needs the bridge to the agent.',
        isRequired: true,
      },
      { name: 'waitForCompletion', label: 'The agent waits for the hook', kind: 'flag' },
    ],
  },
  file: {
    label: 'A file changes',
    fields: [
      events('created', 'changed', 'deleted'),
      {
        name: 'glob',
        label: 'Files',
        kind: 'text',
        placeholder: 'Inbox/*.md',
        hint: 'A pattern of paths in the vault. ** stands for any folders.',
        isRequired: true,
      },
    ],
  },
  git: {
    label: 'Something happens in git',
    fields: [
      events('commit', 'checkout', 'merge', 'rebase', 'push', 'tag'),
      { name: 'branch', label: 'Branch', kind: 'text', hint: 'Any branch if it is empty.' },
    ],
  },
  schedule: {
    label: 'A time comes',
    fields: [
      {
        name: 'cron',
        label: 'Schedule',
        kind: 'text',
        placeholder: '0 7 * * 1-5',
        hint: 'Minute, hour, day, month, weekday. "0 20 * * *" is every day at 20:00.',
        isRequired: true,
      },
      { name: 'timeZone', label: 'Time zone', kind: 'text', placeholder: 'Europe/Berlin' },
      {
        name: 'missed',
        label: 'What was missed while nothing ran',
        kind: 'choice',
        options: [
          ['skip', 'is left out'],
          ['once', 'runs once'],
        ],
        isRequired: true,
      },
    ],
  },
  call: {
    label: 'A tool call ends',
    fields: [
      {
        name: 'status',
        label: 'Outcome',
        kind: 'choices',
        options: same('success', 'error', 'timeout', 'cancelled'),
        hint: 'Any outcome if none is chosen.',
      },
      { name: 'server', label: 'Server', kind: 'text', hint: 'Any server if it is empty.' },
      { name: 'tool', label: 'Tool', kind: 'text', hint: 'Any tool if it is empty.' },
      {
        name: 'source',
        label: 'Called by',
        kind: 'choice',
        options: [
          ['', 'anything'],
          ['user-codeblock', 'a note'],
          ['ai-autonomous', 'a model'],
          ['command', 'the command line'],
          ['gateway', 'another program'],
          ['hook', 'a hook'],
          ['workbench', 'the workbench'],
        ],
      },
    ],
  },
  server: {
    label: 'A server comes or goes',
    fields: [events('connected', 'lost', 'auto-disabled')],
  },
  mail: {
    label: 'Mail comes or goes',
    fields: [events('received', 'drafted', 'approved', 'sent', 'failed')],
  },
  http: { label: 'A program sends an HTTP request', fields: [] },
  manual: { label: 'Only when I run it', fields: [] },
};
