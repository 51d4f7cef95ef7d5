import type { MailItem } from '@errand/mailroom';
import { expect, test } from 'vitest';
import { describeApproval, planRejection } from './mail-actions.ts';

const item: MailItem = {
  id: 'd1',
  kind: 'draft',
  path: 'Drafts/d1.md',
  folder: 'Drafts',
  state: 'waiting',
  isUrgent: false,
  who: 'ada@example.org',
  subject: 'Re: Beams',
};

test('who rejects a draft is told where the mail is that it answers', () => {
  expect(planRejection({ item: { ...item, relatedId: 'm1' } }).text).toBe(
    'It is moved to Done and never sent. The mail that it answers waits for you in Needs_Action.',
  );
  expect(planRejection({ item }).text).toBe('It is moved to Done and never sent.');
});

test('who approves a draft is told when it does not leave yet', () => {
  const message = 'Approved: Re: Beams';
  for (const board of [undefined, { state: 'running' }, { state: 'shared' }] as const)
    expect(describeApproval('Re: Beams', board)).toEqual({ level: 'info', message });
  expect(describeApproval('Re: Beams', { state: 'paused' })).toEqual({
    level: 'warning',
    message: `${message}. It does not leave yet. Paused: nothing is fetched, decided or sent.`,
  });
});
