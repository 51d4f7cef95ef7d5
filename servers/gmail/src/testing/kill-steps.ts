import { join } from 'node:path';
import { judge, makeOlder } from './kill-sends.ts';
import { startMailbox } from './mailbox.ts';
import { makeHome, startServer } from './start-server.ts';

const preload = join(import.meta.dirname, 'kill-preload.ts');

/**
 * Kills the server before and after each write, each sync and each request of sending a mail, one after the other, and asks
 * another server for the same mail. Answers with how many moments there are, and what was wrong.
 */
export async function killAtEveryStep(
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly moments: number; readonly flaws: readonly string[] }> {
  await using mailbox = await startMailbox();
  using home = makeHome(mailbox.url);
  await using next = await startServer({ home, url: mailbox.url });
  const flaws: string[] = [];
  for (let moment = 1; ; moment++) {
    const mail = {
      to: 'ada@example.org',
      subject: `Step-${moment}`,
      body: `Text ${moment} é`,
      ...more,
      ...('idempotency_key' in more && { idempotency_key: `key-${moment}` }),
    };
    const env = { ERRAND_KILL_AT: String(moment) };
    const program = [process.execPath, `--import=${preload}`, main];
    const server = await startServer({ home, url: mailbox.url, env, program });
    const answered = await server.call('send_email', mail).catch(() => undefined);
    await server[Symbol.asyncDispose]();
    if (answered?.message_id !== undefined) return { moments: moment - 1, flaws };
    makeOlder(home);
    const answer = await next.call('send_email', mail);
    const again = await next.call('send_email', mail);
    const flaw = await judge(mailbox, home, mail, answer, again);
    if (flaw !== undefined) flaws.push(`moment ${moment}: ${flaw}`);
    if (moment > 200) return { moments: moment, flaws: [...flaws, 'the server is never done'] };
  }
}

const main = join(import.meta.dirname, '..', 'main.ts');
