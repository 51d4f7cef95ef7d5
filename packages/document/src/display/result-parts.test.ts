import { expect, test } from 'vitest';
import { resultParts } from './result-parts.ts';

test('separates the files named at the end of an answer from its text', () => {
  const payload = 'first\n… all of it (800 lines, 90000 bytes): A/x.txt\nattachment 1: A/y.png';
  expect(resultParts({ type: 'text', payload })).toEqual({
    text: 'first',
    pictures: ['A/y.png'],
    files: [
      { label: 'all of it (800 lines, 90000 bytes)', path: 'A/x.txt' },
      { label: 'attachment 1', path: 'A/y.png' },
    ],
  });
  expect(resultParts({ type: 'text', payload: 'attachment 1: x\nmore' })).toEqual({
    text: 'attachment 1: x\nmore',
    pictures: [],
    files: [],
  });
});

test('shows a picture only from the file it names', () => {
  const payload = 'Attachments/a.png\nhttps://example.org/not a picture';
  expect(resultParts({ type: 'image', payload })).toEqual({
    text: '',
    pictures: ['Attachments/a.png'],
    files: [],
  });
});
