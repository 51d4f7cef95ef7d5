import { expect, test } from 'vitest';
import { contextFields, neededFields } from './context-fields.ts';
import { exampleEvent } from './explain.ts';
import { hookTemplates } from './hook-templates.ts';
import { parseHooks } from './parse-hooks.ts';

test.each(hookTemplates)('$key is a hook once its open places are filled in', ({ hook, open }) => {
  const filled = structuredClone({ id: 'a', ...hook });
  for (const path of open) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce<Record<string, unknown>>(
      (value, name) => value[name] as Record<string, unknown>,
      filled as unknown as Record<string, unknown>,
    );
    expect(Object.keys(parent)).toContain(last);
    parent[last] = 'filled';
  }
  const { hooks, problems } = parseHooks(JSON.stringify({ hooks: [filled] }));
  expect(problems).toEqual([]);
  expect(hooks).toHaveLength(1);
});

test('there is one for each recipe of the design, with names of their own', () => {
  expect(new Set(hookTemplates.map(({ hook }) => hook.name)).size).toBe(5);
});

test('posts to a channel with fields that its event has', async () => {
  const [post] = hookTemplates;
  if (post === undefined) throw new Error('No template.');
  const [hook] = [{ ...post.hook, id: 'a', createdAt: 0, modifiedAt: 0 }];
  const fields = await contextFields(exampleEvent(hook.trigger, 0), neededFields(hook), {
    workspacePath: '/vault',
    git: async () => '012-search',
  });
  expect(fields).toEqual({ feature: 'search', branch: '012-search' });
});
