import type { ActionOf, ActionType } from '@errand/hooks';
import type { FieldSpec, FieldValues } from './form-fields.ts';

/** What an action can be. */
export const actionTypes: Readonly<Record<ActionType, string>> = {
  mcp: 'Call a tool',
  agent: 'Ask an assistant',
  git: 'Use git',
  github: 'Use GitHub',
  custom: 'Run a program',
};

type GitOperation = ActionOf<'git'>['parameters']['operation'];
type GithubOperation = ActionOf<'github'>['parameters']['operation'];

const text = (name: string, label: string, rest: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  kind: 'text',
  ...rest,
});
const required = { isRequired: true } as const;
const timeout: FieldSpec = {
  name: 'timeout',
  label: 'Seconds it may take',
  kind: 'seconds',
  placeholder: '30',
  hint: 'From 1 to 300.',
};
const writes = text('writes', 'Files of the vault that it writes', {
  placeholder: 'Log/*.md',
  hint: 'A pattern, or "nothing". If it is empty, whatever changes during the action and 2 s after it does not run this hook again.',
});
const message = text('messageTemplate', 'Message', { kind: 'area' });
const paths: FieldSpec = {
  name: 'paths',
  label: 'Paths',
  kind: 'lines',
  hint: 'One a line; the whole vault if there are none.',
};
const branch = text('branch', 'Branch');
const remote = text('remote', 'Remote', { placeholder: 'origin' });
const push: FieldSpec = { name: 'pushToRemote', label: 'Push it', kind: 'flag' };

const gitFields: Readonly<Record<GitOperation, readonly FieldSpec[]>> = {
  commit: [{ ...message, ...required }, paths, push, remote],
  push: [branch, remote],
  pull: [remote],
  'create-branch': [{ ...branch, ...required }],
  'checkout-branch': [{ ...branch, ...required }],
  merge: [{ ...branch, ...required }],
  tag: [text('tag', 'Tag', required), message, push, remote],
  stash: [paths, message],
};

const title = text('title', 'Title', required);
const body = text('body', 'Text', { kind: 'area' });
const labels = text('labels', 'Labels', { kind: 'list', hint: 'With commas between them.' });
const people = (name: string, label: string): FieldSpec => text(name, label, { kind: 'list' });
const issue = text('issueNumber', 'Issue', { placeholder: '{{ actions[0].output.number }}' });
const pull = text('prNumber', 'Pull request');
const draft: FieldSpec = { name: 'draft', label: 'As a draft', kind: 'flag' };

const githubFields: Readonly<Record<GithubOperation, readonly FieldSpec[]>> = {
  'open-issue': [title, body, labels, people('assignees', 'Assignees')],
  'close-issue': [
    { ...issue, ...required },
    text('reason', 'Reason', {
      kind: 'choice',
      options: [
        ['', 'none'],
        ['completed', 'completed'],
        ['not_planned', 'not planned'],
      ],
    }),
  ],
  'create-pr': [
    title,
    text('headBranch', 'From branch', required),
    text('baseBranch', 'Into branch', required),
    body,
    draft,
  ],
  'merge-pr': [
    { ...pull, ...required },
    text('mergeMethod', 'How', {
      kind: 'choice',
      options: [
        ['', 'as usual'],
        ['merge', 'merge'],
        ['squash', 'squash'],
        ['rebase', 'rebase'],
      ],
    }),
  ],
  'close-pr': [{ ...pull, ...required }],
  'add-comment': [issue, pull, { ...body, ...required }],
  'add-label': [issue, pull, { ...labels, ...required }],
  'remove-label': [issue, pull, text('labelName', 'Label', required)],
  'request-review': [
    { ...pull, ...required },
    people('reviewers', 'Reviewers'),
    people('teamReviewers', 'Teams'),
  ],
  'assign-issue': [issue, pull, { ...people('assignees', 'Assignees'), ...required }],
  'create-release': [
    text('tagName', 'Tag', required),
    text('releaseName', 'Name'),
    text('releaseBody', 'Text', { kind: 'area' }),
    text('target', 'Branch or commit'),
    draft,
    { name: 'prerelease', label: 'It is a preview', kind: 'flag' },
  ],
};

const operation = (names: readonly string[]): FieldSpec => ({
  name: 'operation',
  label: 'Operation',
  kind: 'choice',
  options: names.map((name) => [name, name.replaceAll('-', ' ')] as const),
  isRequired: true,
});

/** The fields of an action beside its mappings; those of git and GitHub depend on the operation. */
export function actionFields(
  type: ActionType,
  values: FieldValues,
  assistants: readonly string[],
): readonly FieldSpec[] {
  switch (type) {
    case 'mcp':
      return [timeout, writes];
    case 'agent':
      return agentFields(values, assistants);
    case 'git':
      return [operation(Object.keys(gitFields)), ...chosen(gitFields, values), timeout];
    case 'github':
      return [
        operation(Object.keys(githubFields)),
        ...chosen(githubFields, values),
        text('repository', 'Repository', {
          placeholder: 'owner/name',
          hint: 'That of the remote "origin" if it is empty.',
        }),
        text('token', 'Token', {
          ...required,
          placeholder: `\${secret:github}`,
          hint: `Write \${secret:NAME}; the secret itself is kept in the settings.`,
        }),
        text('url', 'API of GitHub Enterprise'),
        timeout,
      ];
    case 'custom':
      return [
        text('command', 'Program', required),
        { name: 'args', label: 'Arguments', kind: 'lines', hint: 'One a line; there is no shell.' },
        text('cwd', 'Folder', { hint: 'In the vault.' }),
        {
          name: 'env',
          label: 'Environment',
          kind: 'pairs',
          hint: `NAME=VALUE, one a line; a secret is \${secret:NAME}.`,
        },
        timeout,
        writes,
      ];
  }
}

function agentFields(values: FieldValues, assistants: readonly string[]): readonly FieldSpec[] {
  const command = text('command', 'Chat command of an editor', {
    placeholder: '/speckit.plan',
    hint: 'Instead of an assistant; it runs only in an editor that has a chat.',
  });
  if (typeof values.command === 'string' && values.command !== '') return [command];
  const named = assistants.map((name) => [name, name] as const);
  const current = typeof values.assistant === 'string' ? values.assistant : '';
  const others =
    current === '' || assistants.includes(current) ? [] : [[current, current] as const];
  return [
    {
      name: 'assistant',
      label: 'Assistant',
      kind: 'choice',
      options: [...named, ...others],
      isRequired: true,
    },
    text('prompt', 'Prompt', { kind: 'area', ...required }),
    text('note', 'Note', { hint: 'Question and answer are written into it; it must exist.' }),
    command,
    timeout,
    writes,
  ];
}

function chosen(
  fields: Readonly<Record<string, readonly FieldSpec[]>>,
  { operation: name }: FieldValues,
): readonly FieldSpec[] {
  const key =
    typeof name === 'string' && Object.hasOwn(fields, name) ? name : Object.keys(fields)[0];
  return fields[key ?? ''] ?? [];
}
