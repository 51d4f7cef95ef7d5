import type { GatedMail, RawMail } from '../mail-note.ts';

/** A harmless mail, as Gmail has it. */
export const rawMail: RawMail = {
  id: 'm1',
  threadId: 't1',
  from: 'Ada <ada@example.org>',
  to: 'owner@example.org',
  subject: 'Hello',
  date: '2026-02-03T10:00:00Z',
  body: 'Can you come on Friday?',
  attachments: [],
  isCut: false,
  headers: {},
};

/** The same, as it is after the privacy gate. */
export const sampleMail: GatedMail = {
  id: 'm1',
  threadId: 't1',
  from: 'Ada <ada@example.org>',
  to: 'owner@example.org',
  subject: 'Hello',
  date: '2026-02-03T10:00:00Z',
  body: 'Can you come on Friday?',
  attachments: [],
  redactions: [],
  isAutomatic: false,
};
