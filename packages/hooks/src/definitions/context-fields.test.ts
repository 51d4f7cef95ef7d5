import { expect, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { commonFields, contextFields, neededFields } from './context-fields.ts';

const answers: Readonly<Record<string, string>> = {
  'symbolic-ref --short --quiet HEAD': '012-search\n',
  'config user.name': 'Ada\n',
  'remote get-url origin': 'https://ada:secret@example.org/acme/tool.git\n',
};

async function fieldsOf(fields: object, needed: Iterable<string> = commonFields) {
  const asked: string[] = [];
  const event: HookEvent = { id: 'e', kind: 'file', at: 0, fields: { ...fields } };
  const collected = await contextFields(event, new Set(needed), {
    workspacePath: '/vault',
    async git(args) {
      asked.push(args.join(' '));
      return answers[args.join(' ')];
    },
  });
  return { collected, asked };
}

test('collects the common fields from the event, the repository and the workspace', async () => {
  const file = { path: 'specs/012-search/plan.md', event: 'changed' };
  const { collected } = await fieldsOf({ file, operation: 'plan' });
  expect(collected).toEqual({
    feature: 'search',
    branch: '012-search',
    timestamp: '1970-01-01T00:00:00.000Z',
    user: 'Ada',
    triggerType: 'file',
    workspacePath: '/vault',
    repoOwner: 'acme',
    repoName: 'tool',
    specId: '012-search',
    specPath: 'specs/012-search',
    filePath: 'specs/012-search/plan.md',
    fileName: 'plan.md',
    operation: 'plan',
    agentOutput: null,
    oldStatus: null,
    newStatus: null,
    outputPath: null,
  });
});

test('collects nothing that no hook mentions, and asks git once for each thing', async () => {
  expect((await fieldsOf({ body: 'x' }, [])).collected).toEqual({});
  const { asked } = await fieldsOf({}, ['branch', 'feature', 'repoName', 'repoOwner']);
  expect(asked.sort()).toEqual(['remote get-url origin', 'symbolic-ref --short --quiet HEAD']);
});

test('prefers what the event tells to what the repository says', async () => {
  const { collected, asked } = await fieldsOf({ branch: '007-other' }, ['branch', 'feature']);
  expect(collected).toEqual({ branch: '007-other', feature: 'other' });
  expect(asked).toEqual([]);
});

test.each(['constructor', '__proto__', 'toString', 'unknown'])('%s is no field', async (name) => {
  const { collected } = await fieldsOf({}, [name]);
  expect(Object.keys(collected)).toEqual([]);
});

test.each([
  ['git@example.org:acme/tool.git', 'acme', 'tool'],
  ['ssh://git@example.org:22/acme/tool', 'acme', 'tool'],
  ['https://example.org/group/acme/tool/', 'acme', 'tool'],
  ['nonsense', null, null],
])('reads owner and name from %s', async (url, repoOwner, repoName) => {
  const event: HookEvent = { id: 'e', kind: 'git', at: 0, fields: {} };
  const ports = { workspacePath: '', git: async () => url };
  const needed = new Set(['repoOwner', 'repoName']);
  expect(await contextFields(event, needed, ports)).toEqual({ repoOwner, repoName });
});

test('finds every field that a hook mentions', () => {
  const hook: Hook = hookSchema.parse({
    id: 'a',
    name: 'A',
    trigger: { kind: 'manual' },
    conditions: [{ field: 'call.status', equals: 'error' }],
    actions: [
      {
        type: 'mcp',
        parameters: {
          serverId: 's',
          toolName: 't',
          parameterMappings: [
            { toolParam: 'a', source: 'context', value: 'user' },
            { toolParam: 'b', source: 'template', value: '{{ mail.subject | default: "branch" }}' },
            { toolParam: 'c', source: 'literal', value: 'feature' },
          ],
        },
      },
      { type: 'custom', parameters: { command: 'x', args: ['{{ actions[0].output }}'] } },
      { type: 'github', parameters: { operation: 'open-issue', token: 't' } },
    ],
  });
  const needed = neededFields(hook);
  const mentioned = ['call', 'user', 'mail', 'actions', 'repoOwner', 'repoName'];
  expect([...needed]).toEqual(expect.arrayContaining(mentioned));
  for (const name of ['feature', 'branch']) expect(needed).not.toContain(name);
});
