import { findToolBlocks, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { blockTemplate, requestTemplate } from './block-template.ts';

test.each(['echo', 'ns: tool # one', 'ends\n```\nearly', '- list', 'true'])(
  'is a block that calls the tool %j',
  (name) => {
    const template = blockTemplate('a', { name, inputSchema: { type: 'object' } });
    const known = { servers: [localServer('a')], brokenBindings: [] };
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

test.each([
  { enum: ['a\n```\n```a\ntool: other', 'b'] },
  { type: 'string', description: 'One\r```\r# two' },
  { type: 'string', description: '\n\n```\nlate' },
  { type: 'string', default: '```\n# x: "' },
  { type: 'constructor' },
  { type: ['string', '__proto__'] },
  { enum: Array.from({ length: 10_000 }, (_, index) => `choice ${index}`) },
])('is one block of short lines whatever a schema says', (schema) => {
  for (const name of ['plain', 'a\nb', 'true', 'null', '__proto__', 'x: y # z', '- a', '```']) {
    const inputSchema = {
      type: 'object' as const,
      properties: Object.fromEntries([
        [name, schema],
        ['other', schema],
      ]),
      required: [name],
    };
    const template = requestTemplate('a', { name: 'echo', inputSchema });
    const known = { servers: [localServer('a')], brokenBindings: [] };
    const blocks = findToolBlocks(scan(template.lines.join('\n')), known);
    expect(blocks).toMatchObject([{ tool: 'echo' }]);
    // A value that is still to be filled in.
    expect(blocks[0]?.problem?.message ?? 'has no value').toContain('has no value');
    expect(blocks[0]?.params.entries.map(([each]) => each)).toEqual([name]);
    for (const line of template.lines) expect(line).toMatch(/^[^\r\n]{0,600}$/);
  }
});

test.each(['two words', 'ends\n```\nearly', 'tick`'])(
  'is a block that calls the tool %j, which also has a parameter called tool',
  (name) => {
    const inputSchema = { type: 'object' as const, properties: { tool: { type: 'string' } } };
    const template = blockTemplate('a', { name, inputSchema });
    const known = { servers: [localServer('a')], brokenBindings: [] };
    expect(findToolBlocks(scan(template), known)).toMatchObject([{ tool: name, problem: null }]);
  },
);
