import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import { selectTools } from './select-tools.ts';

const tool = (name: string, toolset: string, readOnlyHint: boolean) =>
  defineTool({
    name,
    description: '',
    input: z.object({}),
    annotations: { readOnlyHint },
    metadata: { toolset },
    handler: () => 'done',
  });
const tools = [
  tool('read', 'files', true),
  tool('write', 'files', false),
  tool('ask', 'people', true),
  tool('health_check', 'none', true),
];
const everything = { isReadOnly: false, names: [], toolsets: [] };
const chosen = (selection: Partial<Parameters<typeof selectTools>[1]>) =>
  selectTools(tools, { ...everything, ...selection }).map(({ name }) => name);

test.each([
  [{}, ['read', 'write', 'ask', 'health_check']],
  [{ isReadOnly: true }, ['read', 'ask', 'health_check']],
  [{ names: ['write'] }, ['write', 'health_check']],
  [{ toolsets: ['people'] }, ['ask', 'health_check']],
  [{ toolsets: ['people'], names: ['write'] }, ['write', 'ask', 'health_check']],
  [{ toolsets: ['files'], isReadOnly: true }, ['read', 'health_check']],
])('chooses tools by %j', (selection, expected) => {
  expect(chosen(selection)).toEqual(expected);
});

test('refuses to choose what does not exist, and names what does', () => {
  expect(() => chosen({ names: ['rad'] })).toThrow(/rad is not known.*read, write/);
  expect(() => chosen({ toolsets: ['x'] })).toThrow(/x is not known.*files, people/);
});
