import { expect, test } from 'vitest';
import * as contract from './mcp-contract.ts';

const mapping = { toolParam: 'p', source: 'literal', value: '' };
const params = { serverId: 's', toolName: 't', parameterMappings: [mapping] };
const server = { id: 's', name: 'n', status: 'unknown', tools: [], lastDiscovered: 1 };
const tool = {
  name: 'send_mail',
  displayName: 'Send',
  description: '',
  inputSchema: {},
  serverId: 's',
};

test('has the limits of the data model', () => {
  expect(contract).toMatchObject({
    MCP_DISCOVERY_CACHE_TTL: 300_000,
    MCP_DEFAULT_TIMEOUT: 30_000,
    MCP_MIN_TIMEOUT: 1_000,
    MCP_MAX_TIMEOUT: 300_000,
    MCP_MAX_CONCURRENT_ACTIONS: 5,
    MAX_SERVER_NAME_LENGTH: 100,
    MAX_TOOL_NAME_LENGTH: 100,
  });
});

test.each<[unknown, boolean]>([
  [params, true],
  [{ ...params, parameterMappings: [] }, true],
  [{ ...params, timeout: 1_000 }, true],
  [{ ...params, timeout: 300_000 }, true],
  [{ ...params, timeout: 999 }, false],
  [{ ...params, timeout: 300_001 }, false],
  [{ ...params, timeout: '5000' }, false],
  [{ ...params, serverId: '' }, false],
  [{ ...params, toolName: undefined }, false],
  [{ ...params, parameterMappings: [{}] }, false],
  [{ ...params, parameterMappings: undefined }, false],
  [null, false],
  ['x', false],
])('isValidMCPParams(%j) is %s', (value, expected) => {
  expect(contract.isValidMCPParams(value)).toBe(expected);
});

test.each<[unknown, boolean]>([
  [mapping, true],
  [{ ...mapping, source: 'context' }, true],
  [{ ...mapping, source: 'template' }, true],
  [{ ...mapping, source: 'env' }, false],
  [{ ...mapping, source: ['literal'] }, false],
  [{ ...mapping, toolParam: '' }, false],
  [{ ...mapping, value: 5 }, false],
  [null, false],
])('isValidParameterMapping(%j) is %s', (value, expected) => {
  expect(contract.isValidParameterMapping(value)).toBe(expected);
});

test.each<[unknown, boolean]>([
  [server, true],
  [{ ...server, name: 'x'.repeat(100) }, true],
  [{ ...server, name: 'x'.repeat(101) }, false],
  [{ ...server, id: '' }, false],
  [{ ...server, status: 'up' }, false],
  [{ ...server, tools: {} }, false],
  [{ ...server, lastDiscovered: 0 }, false],
  [undefined, false],
])('isValidMCPServer(%.60j) is %s', (value, expected) => {
  expect(contract.isValidMCPServer(value)).toBe(expected);
});

test.each<[unknown, boolean]>([
  [tool, true],
  [{ ...tool, name: 'send-mail' }, false],
  [{ ...tool, name: '' }, false],
  [{ ...tool, displayName: '' }, false],
  [{ ...tool, displayName: 'x'.repeat(101) }, false],
  [{ ...tool, description: undefined }, false],
  [{ ...tool, inputSchema: null }, false],
  [{ ...tool, serverId: '' }, false],
  [5, false],
])('isValidMCPTool(%.60j) is %s', (value, expected) => {
  expect(contract.isValidMCPTool(value)).toBe(expected);
});
