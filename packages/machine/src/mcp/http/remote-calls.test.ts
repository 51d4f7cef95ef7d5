import { createHost } from '@errand/host';
import { createMemorySettingsStore, MemoryCallLog, request } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { ConnectionBench } from '../../testing/connection-bench.ts';
import { type OddAnswers, OddHttpServer } from '../../testing/odd-http-server.ts';
import { scriptedServerConfig } from '../../testing/scripted-server-config.ts';
import { ExternalConnector } from './external-connector.ts';

test('fails a redirected call at once, not at its deadline', async () => {
  const call: OddAnswers['call'] = (_id, response) =>
    void response.writeHead(308, { location: 'https://new.example/mcp' }).end();
  expect(await outcomeOf({ call })).toMatchObject({
    attempts: 1,
    error: {
      code: 'settings_invalid',
      message: expect.stringMatching(
        /redirects to https:\/\/new\.example\/mcp.*make it the "url" in the settings\.$/,
      ),
    },
  });
});

test('fails a rate-limited call with how long to wait, and says that it did not run', async () => {
  const call: OddAnswers['call'] = (_id, response) =>
    void response.writeHead(429, { 'retry-after': '9' }).end();
  expect(await outcomeOf({ call })).toMatchObject({
    attempts: 1,
    error: {
      message:
        'Server "scripted" takes no more requests for now (HTTP 429 Too Many Requests). Try again in 9 s.',
      facts: { retryAfter: 9000, neverSent: true },
    },
  });
});

/** What becomes of a call of a tool that only reads, at a host with one remote server. */
async function outcomeOf(answers: OddAnswers) {
  await using bench = new ConnectionBench();
  await using server = await new OddHttpServer(answers).start();
  const entry = {
    ...scriptedServerConfig({}, { id: 'a' }),
    deploymentType: 'external',
    transport: 'http',
    httpConfig: { url: server.url },
  };
  await using host = await createHost({
    settings: createMemorySettingsStore(JSON.stringify({ version: 1, mcpServers: [entry] })),
    connectors: { external: new ExternalConnector({ host: bench.host }) },
    notifier: bench.host.notifier,
    log: new MemoryCallLog(),
  });
  return await host.execute(request({ toolName: 'read', parameters: {}, timeout: 3000 }));
}
