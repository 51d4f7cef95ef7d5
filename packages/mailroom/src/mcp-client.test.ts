import { expect, test } from 'vitest';
import { MCPClient, type MCPClientPorts, ToolFailure } from './mcp-client.ts';

type Outcome = Awaited<ReturnType<MCPClientPorts['host']['execute']>>;

const failure = (error: string, details?: object) =>
  JSON.stringify({ error, message: 'No.', details });
const said = (text: string) => ({
  status: 'error',
  error: { code: 'TOOL_FAILED', message: 'It failed.' },
  result: { raw: { content: [{ type: 'text', text }] } },
});
const success = (structuredContent?: object) => ({
  status: 'success',
  result: { raw: { content: [], ...(structuredContent && { structuredContent }) } },
});
const unreachable = { status: 'timeout', error: { code: 'TIMEOUT', message: 'Too slow.' } };

/** A client of a server that answers this, and what it writes into the log. */
function clientOf(outcome: object, isKnown = true) {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const requests: object[] = [];
  const client = new MCPClient({
    serverName: () => 'vault',
    host: {
      servers: { find: () => (isKnown ? { id: 'id-vault' } : undefined) },
      execute: async (request: object) => {
        requests.push(request);
        return outcome as Outcome;
      },
    } as unknown as MCPClientPorts['host'],
    log: {
      write: async (file, entry) => void logged.push({ file, ...entry }),
      read: async () => [],
    },
  });
  const call = (fallback?: () => Promise<object>) =>
    client.callTool<object>('write_note', { path: 'a.md' }, { session: 's' }, fallback);
  return { call, logged, requests };
}

test('a call goes through the host with 30 seconds, and answers with what is structured', async () => {
  const { call, logged, requests } = clientOf(success({ path: 'a.md' }));
  expect(await call(() => Promise.reject(new Error('not needed')))).toEqual({ path: 'a.md' });
  expect(requests).toMatchObject([
    {
      serverId: 'id-vault',
      toolName: 'write_note',
      parameters: { path: 'a.md' },
      source: 'mail',
      sessionId: 's',
      timeout: 30_000,
    },
  ]);
  expect(logged).toEqual([]);
});

test.each(['not_found', 'conflict', 'invalid_input', 'parse_error', 'permission_denied'])(
  'what the tool itself answers, such as %s, is no reason to go around it',
  async (code) => {
    const { call, logged } = clientOf(said(failure(code, { path: 'a.md' })));
    const fallback = () => Promise.resolve({});
    await expect(call(fallback)).rejects.toMatchObject({ code, details: { path: 'a.md' } });
    expect(logged).toEqual([]);
  },
);

test.each([
  ['is not in the settings', success({}), false, 'mcp_unavailable'],
  ['does not answer in time', unreachable, true, 'mcp_unavailable'],
  ['breaks', said(failure('internal_error')), true, 'internal_error'],
  ['says something else', said('Traceback'), true, 'internal_error'],
  ['answers without content', success(), true, 'internal_error'],
] as const)(
  'when a server %s, the fallback is carried out and logged; without one it is escalated',
  async (_, outcome, isKnown, error) => {
    const facts = { file: 'mcp_fallback', server: 'vault', tool: 'write_note', error };
    const around = clientOf(outcome, isKnown);
    expect(await around.call(async () => ({ by: 'hand' }))).toEqual({ by: 'hand' });
    expect(around.logged).toMatchObject([{ ...facts, event: 'mcp_fallback', severity: 'WARNING' }]);
    const alone = clientOf(outcome, isKnown);
    await expect(alone.call()).rejects.toMatchObject({ code: error });
    expect(alone.logged).toMatchObject([{ ...facts, event: 'mcp_escalation', severity: 'ERROR' }]);
  },
);

test('a fallback that fails as well is escalated, and its own failure is thrown', async () => {
  const { call, logged } = clientOf(unreachable);
  const full = new Error('The disk is full.');
  await expect(call(() => Promise.reject(full))).rejects.toBe(full);
  expect(logged).toMatchObject([
    { event: 'mcp_fallback', message: 'Too slow.' },
    { event: 'mcp_escalation', severity: 'ERROR', message: 'The disk is full.' },
  ]);
});

test('a service that says how long to wait is believed', () => {
  const waitOf = (retry_after?: unknown) =>
    new ToolFailure('rate_limited', 'Slow down.', { retry_after }).waitMs;
  expect([60, '7', undefined, 'soon', -1].map(waitOf)).toEqual([60_000, 7_000, 0, 0, 0]);
});
