import type { HookEvent } from '@errand/hooks';
import type { MailItem } from '@errand/mailroom';
import { expect, test } from 'vitest';
import { tellHooks } from './tell-hooks.ts';

const item: MailItem = {
  id: 'd1',
  kind: 'draft',
  path: 'Done/reply.md',
  folder: 'Done',
  state: 'sent',
  isUrgent: false,
  who: 'ada@example.org',
  subject: 'Re: Hello',
  relatedId: 'm1',
  sentId: 'm2',
};

test('hooks hear of mail under the names of their trigger, once for each happening', () => {
  const told: HookEvent[] = [];
  const engine = {
    emitAndWait: async (event: HookEvent) => {
      told.push(event);
      return { runs: [], refusals: [] };
    },
  };
  const kinds = [
    'mail-received',
    'draft-written',
    'draft-approved',
    'mail-sent',
    'mail-failed',
  ] as const;
  for (const kind of kinds) tellHooks({ kind, item }, engine);
  tellHooks({ kind: 'mail-sent', item }, engine);
  tellHooks({ kind: 'board-changed' }, engine);
  tellHooks({ kind: 'draft-reminder', item }, engine);
  const names = told.map(({ fields }) => (fields.mail as { event: string }).event);
  expect(names).toEqual(['received', 'drafted', 'approved', 'sent', 'failed', 'sent']);
  expect(told[3]?.id).toBe(told[5]?.id);
  expect(new Set(told.map(({ id }) => id)).size).toBe(5);
  expect(told[3]).toMatchObject({
    kind: 'mail',
    fields: {
      filePath: 'Done/reply.md',
      mail: { to: 'ada@example.org', relatedId: 'm1', messageId: 'm2' },
    },
  });
});
