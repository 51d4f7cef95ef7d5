import { readParts, withFrontmatter } from '@errand/document/frontmatter';
import { expect, test } from 'vitest';
import { finishedValues, shortened } from './finished-note.ts';

/** Both ways of reading a note: by lines, and as YAML. */
function read(text: string) {
  const values = finishedValues(Buffer.from(text).subarray(0, 4096));
  const { parsed } = readParts(text);
  const whole = parsed?.status === 'ok' ? shortened(parsed.values) : undefined;
  return { byLines: values && shortened(values), whole };
}

const written = {
  type: 'email',
  status: 'done',
  message_id: '18f2c0d1aa55',
  from: 'Ada <ada@example.org>',
  subject: 'Re: a "quoted" one: with # and \\ in it',
  decision: 'archive',
  decision_rules: ['settings', 'money'],
  decision_reason: `${'Long words. '.repeat(30)}\nSecond line`,
  confidence: 0.95,
  fetched_at: '2026-01-02T03:04:05.678Z',
};

test.each([
  ['a mail that the mailroom finished', written],
  ['one with an id of digits', { ...written, message_id: '1234567890' }],
  ['one with an id that looks like a number', { ...written, message_id: '12e5' }],
  [
    'a draft',
    {
      type: 'draft_reply',
      status: 'done',
      draft_id: 'd0123',
      to: 'ada@example.org',
      subject: 'Hello there (again)',
      reply_to_message_id: '18f2',
      sent_message_id: '18f3',
      drafted_at: '2026-01-02T03:04:05.678Z',
    },
  ],
])('%s is read by lines, as YAML would be', (_, values) => {
  const { byLines, whole } = read(withFrontmatter('', values, 'Text\n---\nmore'));
  expect(byLines).toEqual(whole);
  expect(byLines).toMatchObject({ type: values.type, status: 'done' });
});

test.each([
  ['without frontmatter', 'Text'],
  ['not closed', '---\ntype: email\nstatus: done\n'],
  ['not finished', '---\ntype: email\nstatus: pending\n---\n'],
  ['a word that is no text', '---\nstatus: done\nmessage_id: null\n---\n'],
  ['an anchor', '---\nstatus: &a done\n---\n'],
  ['a text in several lines', '---\nstatus: done\nmessage_id:\n  18f2\n---\n'],
  ['a text over lines', '---\nstatus: done\nmessage_id: a\n  b\n---\n'],
  ['a comment', '---\nstatus: done # yes\n---\n'],
  ['an escape', '---\nstatus: done\nsubject: "a\\nb"\n---\n'],
  ['a key twice', '---\nstatus: done\nstatus: done\n---\n'],
  ['a list', '---\nstatus: done\nto: [a, b]\n---\n'],
  ['no YAML', '---\nstatus: done\nwhat is this\n---\n'],
  ['other line ends', '---\r\nstatus: done\r\n---\r\n'],
])('a note with %s is left to YAML', (_, text) => {
  expect(finishedValues(Buffer.from(text))).toBeUndefined();
});
