import { expect, test } from 'vitest';
import { encodeHeaderValue, findParamHeaders, paramHeaders } from './param-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limits: { type: 'object', properties: { rows: { type: 'integer', 'x-mcp-header': 'Rows' } } },
    'x-mcp-header': { type: 'string' },
    plain: { type: 'string', default: { 'x-mcp-header': 'data' } },
  },
};

test('finds the parameters that are also headers, and writes them', () => {
  const declared = findParamHeaders(schema);
  expect(declared).toEqual([
    { path: ['region'], header: 'Region' },
    { path: ['limits', 'rows'], header: 'Rows' },
  ]);
  if (typeof declared === 'string') throw new Error(declared);
  expect(paramHeaders(declared, { region: 'eu', limits: { rows: 5 } })).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-Rows': '5',
  });
  expect(paramHeaders(declared, { region: null, limits: 'none' })).toEqual({});
});

test.each([
  [{ properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }, 'no string, integer or boolean'],
  [{ properties: { a: { type: 'string', 'x-mcp-header': 'A B' } } }, 'impossible header name'],
  [{ properties: { a: { type: 'string', 'x-mcp-header': '' } } }, 'impossible header name'],
  [{ items: { type: 'string', 'x-mcp-header': 'A' } }, 'where none may be declared'],
  [{ type: 'string', 'x-mcp-header': 'A' }, 'where none may be declared'],
  [
    {
      properties: {
        a: { type: 'string', 'x-mcp-header': 'A' },
        b: { type: 'string', 'x-mcp-header': 'a' },
      },
    },
    'two parameters declare the header a',
  ],
])('refuses %o', (wrong, why) => {
  expect(findParamHeaders(wrong)).toContain(why);
});

test.each([
  ['plain text', 'plain text'],
  ['ü', '=?base64?w7w=?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['', '=?base64??='],
  ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
  ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
])('writes %j as %s', (text, value) => {
  expect(encodeHeaderValue(text)).toBe(value);
});
