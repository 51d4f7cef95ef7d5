import { expect, test } from 'vitest';
import { describeEditorTools, readToolResult } from './editor-tool.ts';

const tool = (name: string, inputSchema?: object) => ({ name, description: name, inputSchema });

test('leaves out what comes from a gateway, also from the second one', () => {
  const names = [
    'mcp_errand_a__b',
    'mcp_errand2_a__b',
    'mcp_other_errand',
    'errand_x',
    'mcp_errands_x',
  ];
  expect(describeEditorTools(names.map((name) => tool(name))).map(({ name }) => name)).toEqual([
    'mcp_other_errand',
    'errand_x',
    'mcp_errands_x',
  ]);
});

test('gives every tool a schema', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  expect(describeEditorTools([tool('a', schema), tool('b')])).toEqual([
    { name: 'a', description: 'a', inputSchema: schema },
    { name: 'b', description: 'b', inputSchema: { type: 'object' } },
  ]);
});

test('reads every kind of part', () => {
  const data = new Uint8Array([1, 2]);
  const parts = [
    { value: 'words' },
    { value: { tree: 1 } },
    { mimeType: 'image/png', data },
    { mimeType: 'application/json', data: new TextEncoder().encode('{"a":1}') },
    { mimeType: 'application/pdf', data },
    { odd: true },
    'bare',
    undefined,
  ];
  expect(readToolResult(parts).content).toEqual([
    { type: 'text', text: 'words' },
    { type: 'text', text: '{"tree":1}' },
    { type: 'image', mimeType: 'image/png', data: 'AQI=' },
    { type: 'text', text: '{"a":1}' },
    {
      type: 'resource',
      resource: { uri: 'editor:data', mimeType: 'application/pdf', blob: 'AQI=' },
    },
    { type: 'text', text: '{"odd":true}' },
    { type: 'text', text: '"bare"' },
    { type: 'text', text: '' },
  ]);
});
