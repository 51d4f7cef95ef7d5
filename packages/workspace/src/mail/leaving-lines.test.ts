import { expect, test } from 'vitest';
import { leavingLines } from './leaving-lines.ts';

test('shows every recipient, the subject and every line, with what hides spelled out', () => {
  const mail = {
    to: 'ada@example.org\nBcc: thief@example.org',
    cc: 'bo@example.org',
    bcc: '',
    subject: 'Re: \u202eBeams',
    body: 'Hello,\n\nyes.\u200b',
  };
  expect(leavingLines(mail)).toEqual([
    'To: ada@example.org\\nBcc: thief@example.org',
    'Cc: bo@example.org',
    'Subject: Re: \\u202eBeams',
    '',
    'Hello,',
    '',
    'yes.\\u200b',
  ]);
});
