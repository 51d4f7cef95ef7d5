import type { FlowContext, JobEngine } from '@errand/jobs';
import { expect, onTestFinished, test } from 'vitest';
import { type MailFlowPorts, mailFlow } from './mail-flow.ts';
import type { Mailbox } from './mailbox.ts';
import { ToolFailure } from './mcp-client.ts';
import { openPorts } from './testing/open-ports.ts';
import { rawMail } from './testing/sample-mail.ts';

const path = 'Needs_Action/2026-02-03-1000-hello.md';
const values = { type: 'email', status: 'pending', message_id: 'm1', from: rawMail.from };
const archive = '{"decision":"archive","confidence":1,"reasoning":"Nothing to do."}';

/** The flow of a mail, with a mailbox that has it and a model that archives it. */
function open(more: Partial<MailFlowPorts> = {}, answers: Partial<Mailbox> = {}) {
  const done: string[] = [];
  const later: object[] = [];
  const read = async () => {
    done.push('fetch');
    return rawMail;
  };
  const place = openPorts(onTestFinished, { read, ...answers });
  const jobs = {
    start: async (flow: string, input: object, { id }: { id: string }) =>
      void later.push({ flow, id, ...input }),
  } as unknown as JobEngine;
  const ports = {
    ...place.ports,
    own: () => 'owner@example.org',
    findBounced: async () => undefined,
    onStored: (id: string) => void done.push(`stored ${id}`),
    started: Promise.resolve(jobs),
    modelRetries: [2_000, 4_000],
    backoff: () => 60_000,
    ask: async () => {
      done.push('ask');
      return { text: archive, by: 'p:m' };
    },
    ...more,
  } as MailFlowPorts;
  const { run, perKey } = mailFlow(ports);
  const context = {
    id: 'mail:m1',
    signal: new AbortController().signal,
    step: (_: string, act: (signal: AbortSignal) => unknown) => act(context.signal),
  } as unknown as FlowContext;
  const start = (input: object = {}) =>
    run({ messageId: 'm1', retries: 0, failures: 0, ...input }, context);
  return { ...place, ports, done, later, start, perKey };
}

test('a mail is fetched, stored, told, decided and filed, four at a time', async () => {
  const place = open();
  expect(place.perKey).toBe(4);
  expect(await place.start()).toBe('archive');
  expect(place.done).toEqual(['fetch', 'stored m1', 'ask', 'stored m1']);
  expect(place.paths()).toEqual([path.replace('Needs_Action', 'Done')]);
  expect(place.told).toEqual([
    `mail-received ${path}`,
    `mail-decided ${path.replace('Needs_Action', 'Done')}`,
  ]);
  expect(await place.ports.senders.recent(rawMail.from, 'another')).toBe(1);
});

test('a mail whose note is there is neither fetched nor stored again, and keeps what is known of it', async () => {
  const place = open();
  place.write(path, { ...values, about_money: true });
  expect(await place.start()).toBe('needs_info');
  expect(place.done).not.toContain('fetch');
  expect(place.paths()).toEqual([path]);
  expect(await place.values(path)).toMatchObject({ decision_rules: ['money'] });
});

test('a reply that is drafted after a restart goes where the mail asked for it, and never to a robot', async () => {
  const reply = { decision: 'draft_reply', confidence: 1, reasoning: 'x', reply_body: 'Yes.' };
  const ask = async () => ({ text: JSON.stringify(reply), by: 'p:m' });
  const place = open({ ask });
  place.write(path, { ...values, subject: 'Hello', reply_to: 'team@example.org' });
  expect(await place.start()).toBe('draft_reply');
  const [draft = ''] = place.paths().filter((each) => each.startsWith('Drafts/'));
  expect(await place.values(draft)).toMatchObject({ to: 'team@example.org' });
  const robot = open({ ask });
  robot.write(path, { ...values, automatic: true });
  expect(await robot.start()).toBe('needs_info');
  expect(robot.paths()).toEqual([path]);
});

test('a mail that is gone at Gmail leaves nothing behind', async () => {
  const gone = () => Promise.reject(new ToolFailure('not_found', 'Gone.'));
  const place = open({}, { read: gone });
  expect(await place.start()).toBe('gone');
  expect(place.paths()).toEqual([]);
  expect(place.later).toEqual([]);
});

test('what fails is tried later in another job, by the schedule of models, or when the service says', async () => {
  const down = () => Promise.reject(new Error('down'));
  const place = open({ ask: down });
  for (const [failures, waitMs] of [
    [0, 2_000],
    [1, 4_000],
    [2, 60_000],
  ] as const) {
    expect(await place.start({ failures })).toBe('later');
    expect(place.later.at(-1)).toMatchObject({
      flow: 'mail-later',
      id: `later:mail:m1+${failures + 1}`,
      failures: failures + 1,
      waitMs,
    });
  }
  expect(place.paths()).toEqual([path]);
  const busy = new ToolFailure('rate_limited', 'Slow down.', { retry_after: 90 });
  const limited = open({}, { read: () => Promise.reject(busy) });
  await limited.start();
  expect(limited.later).toMatchObject([{ waitMs: 90_000 }]);
});

test.each<[string, string, object]>([
  ['put away', path.replace('Needs_Action', 'Done'), {}],
  ['decided', path, { status: 'needs_info', decision: 'needs_info' }],
  ['asked about anew', path, { retries: 1 }],
])(
  'no model is asked again about a mail that a person has %s since it failed',
  async (_, at, more) => {
    const place = open();
    place.write(at, { ...values, ...more });
    expect(await place.start({ failures: 1 })).toBe('left');
    expect(place.done).not.toContain('ask');
  },
);

test('a mail without a usable answer is told as failed', async () => {
  const place = open({ ask: async () => ({ text: 'Hm.', by: 'p:m' }) });
  expect(await place.start()).toBe('failed');
  expect(place.told).toEqual([`mail-received ${path}`, `mail-failed ${path}`]);
  expect(await place.values(path)).toMatchObject({ status: 'failed' });
});

test('two jobs about one mail run one after the other', async () => {
  const goOn = Promise.withResolvers<void>();
  const order: string[] = [];
  let asked = 0;
  const place = open({
    ask: async () => {
      asked += 1;
      const which = asked;
      order.push(`begin ${which}`);
      if (which === 1) await goOn.promise;
      order.push(`end ${which}`);
      return { text: archive.replace('archive', 'urgent'), by: 'p:m' };
    },
  });
  const first = place.start();
  await expect.poll(() => order).toEqual(['begin 1']);
  const second = place.start({ retries: 1 });
  goOn.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('the hook of a rule is run with the mail, and its failure is no failure of the mail', async () => {
  const faults: unknown[] = [];
  const ran: unknown[] = [];
  const place = open({
    runHook: async (...given) => {
      ran.push(given);
      throw new Error('The hook broke.');
    },
    onFault: (error) => void faults.push(error),
  });
  const settings = place.ports.settings();
  Object.assign(settings ?? {}, { rules: [{ name: 'ada', from: 'ada@', hook: 'h1' }] });
  expect(await place.start()).toBe('archive');
  const { from, subject } = rawMail;
  const mail = { event: 'rule', messageId: 'm1', from, subject, rule: 'ada' };
  expect(ran).toEqual([['h1', { mail }]]);
  expect(faults).toMatchObject([{ message: 'The hook broke.' }]);
});
