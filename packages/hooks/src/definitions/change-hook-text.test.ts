import { expect, test } from 'vitest';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { changeHookText } from './change-hook-text.ts';

const text = `// Hooks of this vault
{
  "version": 1,
  "team": "notes", // ours
  "hooks": [
    {
      "id": "a", "name": "First",
      "trigger": { "kind": "manual" },
      /* does nothing */
      "actions": [
        { "type": "custom", "parameters": { "command": "true", "colour": "red" } },
        { "type": "custom", "parameters": { "command": "false" } }
      ],
      "owner": "ada"
    },
    { "id": "broken", "name": "Broken", "trigger": { "kind": "moon" } },
    { "id": "b", "name": "Second", "trigger": { "kind": "manual" }, "actions": [{ "type": "custom", "parameters": { "command": "true" } }] },
  ],
}
`;
const options = { now: 7 };

const made = (more: object = {}): Hook =>
  hookSchema.parse({
    id: 'c',
    name: 'Third',
    trigger: { kind: 'manual' },
    actions: [{ type: 'custom', parameters: { command: 'true' } }],
    ...more,
  });

test('changes one value and leaves every other character', () => {
  const after = changeHookText(
    text,
    (hooks) => hooks.map((hook) => (hook.id === 'b' ? { ...hook, name: 'Other' } : hook)),
    options,
  );
  expect(after).toBe(
    text
      .replace('"name": "Second"', '"name": "Other"')
      .replace(
        '{ "command": "true" } }] },\n  ],',
        '{ "command": "true" } }], "modifiedAt": 7 },\n  ],',
      ),
  );
});

test('changes an action in its place, with the unknown fields beside it', () => {
  const after = changeHookText(
    text,
    (hooks) =>
      hooks.map((hook) => {
        if (hook.id !== 'a') return hook;
        const [first, ...rest] = hook.actions;
        return first?.type === 'custom'
          ? { ...hook, actions: [{ ...first, parameters: { command: 'date' } }, ...rest] }
          : hook;
      }),
    options,
  );
  expect(after).toContain('{ "command": "date", "colour": "red" }');
  expect(after).toContain('/* does nothing */');
  expect(after).toContain('"owner": "ada"');
  expect(after).toContain('"id": "broken"');
});

test('adds, removes and keeps broken entries', () => {
  const after = changeHookText(
    text,
    (hooks) => [...hooks.filter(({ id }) => id !== 'b'), made()],
    options,
  );
  expect(after).not.toContain('Second');
  expect(after).toContain('"id": "broken"');
  expect(after).toContain('"team": "notes", // ours');
  expect(after).toMatch(/"name": "Third".*"createdAt": 7,\s*"modifiedAt": 7/s);
});

test('removes several at once, and keeps the broken entry between them', () => {
  const after = changeHookText(text, () => [], options);
  expect(after).toContain('"id": "broken"');
  expect(after).not.toMatch(/First|Second/);
});

test('writes a file that is not there, and none when nothing is wanted', () => {
  expect(changeHookText(undefined, (hooks) => hooks, options)).toBeUndefined();
  const after = changeHookText(undefined, () => [made()], options);
  expect(JSON.parse(after ?? '')).toMatchObject({ version: 1, hooks: [{ id: 'c' }] });
  expect(changeHookText('{ "version": 1 }', () => [made()], options)).toContain('"Third"');
});

test('leaves the text alone when nothing changes', () => {
  expect(changeHookText(text, (hooks) => hooks, options)).toBe(text);
});

test('stores the id of a server that is given by its name', () => {
  const parameters = { serverId: 'Mail', toolName: 't', parameterMappings: [] };
  const after = changeHookText(
    undefined,
    () => [made({ actions: [{ type: 'mcp', parameters }] })],
    {
      ...options,
      findServerId: (name) => (name.toLowerCase() === 'mail' ? 'server-1' : undefined),
    },
  );
  expect(after).toContain('"serverId": "server-1"');
});

test.each<[string, (hooks: readonly Hook[]) => readonly Hook[], string]>([
  ['a name that is taken', (hooks) => [...hooks, made({ name: 'first' })], 'has this name'],
  ['an id that is taken', (hooks) => [...hooks, made({ id: 'a' })], 'one id'],
  ['a bad pattern', () => [made({ conditions: [{ field: 'a', matches: '(' }] })], 'bracket'],
  [
    'a name that is too long',
    (hooks) => hooks.map((hook) => ({ ...hook, name: `${hook.id}${'x'.repeat(100)}` })),
    'at most 100 characters',
  ],
])('refuses %s, and says why', (_, change, message) => {
  expect(() => changeHookText(text, change, options)).toThrow(message);
});

test('refuses to change a file that is no JSON, and leaves it', () => {
  const broken = '{ "hooks": [';
  expect(() => changeHookText(broken, () => [made()], options)).toThrow(
    /line 1, column .*left as it is/,
  );
});
