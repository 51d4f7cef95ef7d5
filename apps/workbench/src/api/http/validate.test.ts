import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

const mebibyte = 1024 * 1024;

test('refuses a body that is announced as too large without waiting for it', async () => {
  await using workbench = await openTestWorkbench();
  const sent = patch(await workbench.open(), { 'content-length': String(33 * mebibyte) });
  sent.flushHeaders();
  expect(await answerTo(sent)).toContain('A body may have at most 32 MB');
});

test('refuses a body of unknown length without reading it', async () => {
  await using workbench = await openTestWorkbench();
  const sent = patch(await workbench.open(), { 'transfer-encoding': 'chunked' });
  sent.write(Buffer.alloc(mebibyte, ' '));
  expect(await answerTo(sent)).toContain('Send the body with its length');
});

test('refuses a body that is nested too deep', async () => {
  await using workbench = await openTestWorkbench();
  const sent = patch(await workbench.open(), {});
  sent.end(`${'['.repeat(300)}${']'.repeat(300)}`);
  expect(await answerTo(sent)).toContain('nested too deep');
});

function patch({ origin, cookie }: TestClient, headers: Record<string, string>): ClientRequest {
  const type = { 'content-type': 'application/json', cookie };
  const url = `${origin}/api/settings`;
  const sent = request(url, { method: 'PATCH', headers: { ...type, ...headers }, agent: false });
  return sent.on('error', () => {});
}

async function answerTo(sent: ClientRequest): Promise<string> {
  const [response] = await once(sent, 'response', { signal: AbortSignal.timeout(30_000) });
  expect(response.statusCode).toBe(422);
  const body = await text(response);
  sent.destroy();
  return body;
}
