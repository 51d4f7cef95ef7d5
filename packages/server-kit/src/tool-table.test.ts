import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import { toolTable } from './tool-table.ts';

const tool = (name: string) =>
  defineTool({ name, description: '', input: z.object({}), handler: () => '' });

test('finds a tool by name and knows when it was registered', () => {
  const found = toolTable([tool('a'), tool('b')], 5).get('b');
  expect(found?.tool.name).toBe('b');
  expect(found?.registrationTime).toEqual(new Date(5));
});

test('refuses two tools of one name', () => {
  expect(() => toolTable([tool('a'), tool('a')], 0)).toThrow(
    'Two tools are named "a". Rename one.',
  );
});

test('holds a thousand tools and no more', () => {
  const tools = Array.from({ length: 1_001 }, (_, index) => tool(`tool_${index}`));
  expect(toolTable(tools.slice(1), 0).size).toBe(1_000);
  expect(() => toolTable(tools, 0)).toThrow('has 1001 tools; 1000 is the limit');
});

test('makes the JSON Schema of a tool once', () => {
  const listed = toolTable([tool('a')], 0).get('a')?.listedInput['~standard'].jsonSchema;
  const target = { target: 'draft-2020-12' } as const;
  expect(listed?.input(target)).toBe(listed?.input(target));
});
