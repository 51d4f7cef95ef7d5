import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMailbox } from './testing/mailbox.ts';
import { makeHome, startServer } from './testing/start-server.ts';

const built = join(import.meta.dirname, '../dist/main.js');

test('runs as built on Node 22: reads a large mail, sends, and warns of nothing', async () => {
  await using mailbox = await startMailbox();
  using home = makeHome(mailbox.url);
  const program = [process.env.ERRAND_TEST_NODE22 ?? '', built];
  const env = { MCP_LOG_LEVEL: 'warn', NODE_OPTIONS: '' };
  await using server = await startServer({ home, url: mailbox.url, program, env });
  const text = 'line of text\r\n'.repeat(40_000);
  const { id } = await mailbox.insert(`From: a@x.org\r\nSubject: Large\r\n\r\n${text}`);
  expect(await server.call('get_email', { message_id: id })).toMatchObject({
    subject: 'Large',
    truncated: true,
  });
  const mail = { to: 'a@x.org', subject: 'Built', body: '<p>b</p>' };
  expect(await server.call('send_email', mail)).toHaveProperty('message_id');
  expect(await mailbox.sent('Built')).toHaveLength(1);
  expect(server.stderr()).toBe('');
});
