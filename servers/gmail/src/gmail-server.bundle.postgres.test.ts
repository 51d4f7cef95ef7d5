import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMailbox } from './testing/mailbox.ts';
import { makeDatabase } from './testing/postgres-database.ts';
import { makeHome, startServer } from './testing/start-server.ts';

test('sends as built on Node 22 with its ledger in a database', async () => {
  await using mailbox = await startMailbox();
  await using database = await makeDatabase();
  using home = makeHome(mailbox.url);
  const program = [
    process.env.ERRAND_TEST_NODE22 ?? '',
    join(import.meta.dirname, '../dist/main.js'),
  ];
  const env = { MCP_LOG_LEVEL: 'warn', NODE_OPTIONS: '' };
  const options = { home, url: mailbox.url, program, env, ledger: database.url };
  await using server = await startServer(options);
  const mail = { to: 'a@example.org', subject: 'Built', body: 'b' };
  const sent = await server.call('send_email', mail);
  expect(sent).toHaveProperty('message_id');
  expect(await server.call('send_email', mail)).toEqual(sent);
  expect(await server.call('health_check')).toMatchObject({ mails: { sent: 1 } });
  expect(server.stderr()).toBe('');
});
