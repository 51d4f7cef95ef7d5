import { findToolBlocks, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { blockTemplate, requestTemplate } from './block-template.ts';

test.each(['echo', 'ns: tool # one', 'ends\n```\nearly', '- list', 'true'])(
  'is a block that calls the tool %j',
  (name) => {
    const template = blockTemplate('a', { name, inputSchema: { type: 'object' } });
    const known = { servers: [localServer('a')], documentPath: 'Note.md' };
    expect(findToolBlocks(scan(template), known)).toMatchObject([{ tool: name, problem: null }]);
  },
);

const properties = {
  note: { type: 'string', description: 'Which one.\nAt length.' },
  unit: { enum: ['C', 'no'] },
};

test('shows where the first value is to be filled in', () => {
  const schema = { type: 'object', properties };
  const choice = requestTemplate('a', {
    name: 'echo',
    inputSchema: { ...schema, required: ['unit'] },
  });
  expect(choice.lines).toEqual([
    '```a',
    'tool: echo',
    'unit: C # one of: C, no',
    '# note:  # text: Which one.',
    '```',
  ]);
  expect(choice.firstValue).toEqual({ line: 2, from: 6, to: 7 });
  const empty = requestTemplate('a', {
    name: 'echo',
    inputSchema: { ...schema, required: ['note'] },
  });
  expect(empty.firstValue).toEqual({ line: 2, from: 6, to: 6 });
  expect(requestTemplate('a', { name: 'echo', inputSchema: schema }).firstValue).toEqual({
    line: 1,
    from: 10,
    to: 10,
  });
});
