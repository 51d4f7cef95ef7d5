import { HostError } from '@errand/host';
import { expect, test } from 'vitest';
import type { MailBoard } from '../../contract.ts';
import { mailItem, planMailroom } from '../testing/planned-mailroom.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('every request reaches the mailroom with what it needs, and pages hear of changes', async () => {
  const plan = planMailroom([mailItem('d1', 'draft', 'Drafts', 'waiting')]);
  await using workbench = await openTestWorkbench({ openServices: plan.open });
  const client = await workbench.open();
  using events = await client.follow();
  const board = await client.get<MailBoard>('/mail?done=5');
  expect(board.folders.Drafts).toMatchObject([{ id: 'd1' }]);
  expect(await client.get('/state')).toMatchObject({ mail: { waiting: 1, wrong: 0 } });
  await client.get('/mail/item?id=Drafts%2Fa%20b.md').catch(() => undefined);
  await client.get('/mail/why?id=d1');
  const requests = {
    approve: { id: 'd1', seen: 's1' },
    reject: { id: 'd1', reason: 'No.' },
    edit: { id: 'd1', seen: 's1', cc: '', body: 'Text' },
    retry: { id: 'd1', note: 'Thursday' },
    settle: { id: 'd1', outcome: 'was-sent' },
    begin: { take: { days: 7 } },
  };
  for (const [name, body] of Object.entries(requests)) {
    await client.send('POST', `/mail/${name}`, body);
    expect(plan.asked.at(-1)).toEqual({ method: name, params: body });
  }
  for (const name of ['run', 'pause', 'resume', 'take-over']) {
    await client.send('POST', `/mail/${name}`);
    expect(plan.asked.at(-1)).toEqual({ method: name, params: {} });
  }
  expect(plan.asked.slice(0, 3)).toEqual([
    { method: 'board', params: { done: 5 } },
    { method: 'show', params: { id: 'Drafts/a b.md' } },
    { method: 'why', params: { id: 'd1' } },
  ]);
  plan.items.push(mailItem('d2', 'draft', 'Drafts', 'waiting'));
  plan.changed();
  await events.until('mail-changed', ({ counts }) => counts.waiting === 2);
});

test('requests that make no sense are refused before they reach the mailroom, and refusals are told', async () => {
  const plan = planMailroom();
  await using workbench = await openTestWorkbench({ openServices: plan.open });
  const client = await workbench.open();
  const wrong = [
    ['approve', { id: 'd1' }],
    ['approve', { id: '', seen: 's' }],
    ['edit', { id: 'd1', seen: 's', from: 'boss@example.org' }],
    ['settle', { id: 'd1', outcome: 'maybe' }],
    ['begin', { take: { days: 0 } }],
  ] as const;
  for (const [name, body] of wrong) {
    expect(await client.fails('POST', `/mail/${name}`, body)).toMatchObject({ status: 422 });
  }
  expect(plan.asked).toEqual([]);
  plan.answers.approve = () => {
    throw new HostError('note_changed', 'The draft is another by now.');
  };
  expect(await client.fails('POST', '/mail/approve', { id: 'd1', seen: 's' })).toMatchObject({
    status: 409,
    message: 'The draft is another by now.',
  });
});

test('a program without an owner says why there is no mail', async () => {
  await using workbench = await openTestWorkbench();
  const client = await workbench.open();
  expect(await client.fails('GET', '/mail')).toMatchObject({
    status: 409,
    message: expect.stringContaining('owns the vault'),
  });
});
