import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, StartedServer } from '@errand/server-kit/testing';
import type { gmail_v1 } from '@googleapis/gmail';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { type Home, makeHome, startServer } from './start-server.ts';

/** Where a server is killed: while a request is on its way, was carried out, or after some milliseconds. */
type Moment =
  | { readonly path: RegExp; readonly kind: 'hold-before' | 'hold-after'; readonly isLate: boolean }
  | { readonly milliseconds: number };

/** A ledger on a database server. */
interface SharedLedger {
  readonly url: string;
  /** Lets a minute pass for it. */
  makeOlder(): Promise<void>;
}

const requests = [/\/drafts$/, /\/drafts\/send$/];
const moments: readonly Moment[] = requests.flatMap((path) => [
  { path, kind: 'hold-before' as const, isLate: false },
  { path, kind: 'hold-before' as const, isLate: true },
  { path, kind: 'hold-after' as const, isLate: false },
]);

/**
 * Kills the server while it sends, again and again, each time at another moment, and asks the next one for the same
 * mail. Answers with what was wrong: not one mail, or one although the answer is that nobody knows.
 */
export async function killSends(
  seed: number,
  count: number,
  shared?: SharedLedger,
): Promise<readonly string[]> {
  await using mailbox = await startMailbox();
  using home = makeHome(mailbox.url);
  const flaws: string[] = [];
  const args = ['--daily-cap', '100000'];
  const options = { home, url: mailbox.url, args, ledger: shared?.url };
  const question = await mailbox.insert(
    'From: Ada <ada@example.org>\r\nSubject: Kill\r\nMessage-ID: <kill@x>\r\n\r\nWhat?',
  );
  let server = await startServer(options);
  for (let at = seed; at < seed + count; at++) {
    const subject = at % 3 === 0 ? 'Re: Kill' : `Kill-${at}`;
    const mail = {
      to: 'ada@example.org',
      subject,
      body: at % 2 === 0 ? `<p>Text ${at} é</p>` : `Text ${at} é`,
      idempotency_key: `key-${at}`,
      ...(at % 3 === 0 && { reply_to_message_id: question.id }),
    };
    const moment = moments[at % (moments.length + 2)] ?? { milliseconds: (at * 7919) % 60 };
    await killDuring(server, mailbox, moment, () => server.call('send_email', mail));
    await (shared === undefined ? makeOlder(home) : shared.makeOlder());
    server = await startServer(options);
    const answer = await server.call('send_email', mail);
    const again = await server.call('send_email', mail);
    const flaw = await judge(mailbox, home, mail, answer, again);
    if (flaw !== undefined) flaws.push(`seed ${at}, ${JSON.stringify(moment)}: ${flaw}`);
  }
  await server[Symbol.asyncDispose]();
  return flaws;
}

async function killDuring(
  server: StartedServer,
  { proxy }: Mailbox,
  moment: Moment,
  send: () => Promise<unknown>,
): Promise<void> {
  const held = Promise.withResolvers<void>();
  const forwarded = proxy.forwarded.length;
  const reached =
    'milliseconds' in moment
      ? sleep(moment.milliseconds)
      : proxy.fault({ method: 'POST', path: moment.path }, {
          kind: moment.kind,
          until: held.promise,
        } satisfies Fault);
  const asking = send().catch(() => undefined);
  await Promise.race([reached, asking]);
  if ('kind' in moment && moment.kind === 'hold-after') {
    // Planned faults are told before they happen; the request has to arrive first.
    await until(() => proxy.forwarded.length > forwarded);
    await sleep(20);
  }
  process.kill(server.pid, 'SIGKILL');
  await asking;
  if ('isLate' in moment && moment.isLate) {
    const before = proxy.forwarded.length;
    held.resolve();
    await until(() => proxy.forwarded.length > before);
  }
  proxy.heal();
  await server[Symbol.asyncDispose]();
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 10_000) throw new Error('waited for 10 s');
    await sleep(5);
  }
}

/** Lets so much time pass for the ledger that no request can be running any more. */
export function makeOlder(home: Home, milliseconds = 61_000): void {
  const ledger = new DatabaseSync(home.ledger);
  ledger.prepare('UPDATE sends SET changed_at = changed_at - ?').run(milliseconds);
  ledger.close();
}

/** What is wrong with the state of a mail and with the two answers about it, if anything. */
export async function judge(
  mailbox: Mailbox,
  home: Home,
  { subject, body }: { readonly subject: string; readonly body: string },
  answer: Readonly<Record<string, unknown>>,
  again: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const word = body.replace(/<\/?p>/g, '');
  const sent = (await mailbox.sent(subject)).filter(({ snippet }) => snippet?.includes(word));
  const log = readdirSync(join(home.vault, 'Logs')).map((file) =>
    readFileSync(join(home.vault, 'Logs', file), 'utf8'),
  );
  if (!log.join().includes(word)) return 'no audit line';
  const { state } = (answer.details ?? {}) as { readonly state?: string };
  if (state === 'unclear') return sent.length === 0 ? undefined : 'sent, but called unclear';
  if (sent.length !== 1) return `${sent.length} mails; ${JSON.stringify(answer)}`;
  if (sent[0]?.id !== answer.message_id) return `another mail: ${JSON.stringify(answer)}`;
  if (JSON.stringify(again) !== JSON.stringify(answer)) return `not the same answer again`;
  const { drafts = [] } = await mailbox.ask<gmail_v1.Schema$ListDraftsResponse>('GET', 'drafts');
  return drafts.length === 0 ? undefined : `${drafts.length} drafts left behind`;
}
