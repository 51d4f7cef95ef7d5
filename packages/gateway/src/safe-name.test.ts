import { expect, test } from 'vitest';
import { isSafeName, safeName } from './safe-name.ts';
import { startTestProgram } from './testing/start-test-program.ts';

const none = new Set<string>();

test.each([
  ['a name with control characters', 'a__\u0007bell\n'],
  ['a name with a slash', 'a__repo/read'],
  ['a name of another script', 'a__読む'],
  ['a long name', `a__${'x'.repeat(200)}`],
])('%s gets a safe one, the same each time', (_what, name) => {
  expect(isSafeName(name)).toBe(false);
  expect(safeName(name, none)).toSatisfy(isSafeName);
  expect(safeName(name, none)).toBe(safeName(name, none));
  expect(safeName(name, none).slice(0, 3)).toBe('a__');
});

test('names that differ only in what is left out, or that are taken, become different ones', () => {
  const first = safeName('a__x/y', none);
  expect(safeName('a__x y', none)).not.toBe(first);
  const second = safeName('a__x/y', new Set([first]));
  expect(second).not.toBe(first);
  expect(second).toSatisfy(isSafeName);
});

test.each(['legacy', 'modern'] as const)(
  'in the %s era tools with unsafe names are listed under safe ones and called by either',
  async (era) => {
    const inputSchema = { type: 'object' };
    const names = ['repo/read', 'bell\u0007', 'x'.repeat(200)];
    const tools = names.map((name) => ({ name, inputSchema }));
    await using program = await startTestProgram('http', era, { a: { tools } });
    const { client } = program;
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed.every(isSafeName)).toBe(true);
    expect(new Set(listed).size).toBe(listed.length);
    for (const name of [...names.map((each) => safeName(`a__${each}`, none)), 'a__repo/read']) {
      expect(await client.callTool({ name, arguments: { text: name } })).toMatchObject({
        content: [{ text: name }],
      });
    }
  },
);
