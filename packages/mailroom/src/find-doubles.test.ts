import { expect, test } from 'vitest';
import { findDoubles } from './find-doubles.ts';
import type { MailFolder } from './mail-board.ts';
import type { NoteHead } from './note-head.ts';

function note(folder: MailFolder, inode: string, more: Partial<NoteHead> = {}): NoteHead {
  const path = `${folder}/a.md`;
  return { path, folder, values: {}, inode, changedAt: 0, hasOtherNames: true, ...more };
}
const sent = { values: { sent_message_id: 's1' } };

test.each<[string, readonly NoteHead[], readonly string[]]>([
  ['an approval', [note('Approved', '1'), note('Drafts', '1')], ['Drafts', 'Approved']],
  ['a draft taken back', [note('Drafts', '1'), note('Approved', '1')], ['Drafts', 'Approved']],
  ['a rejection', [note('Approved', '1'), note('Done', '1')], ['Done', 'Approved']],
  [
    'a mail that is filed',
    [note('Done', '1'), note('Needs_Action', '1')],
    ['Needs_Action', 'Done'],
  ],
  [
    'a sent draft that is filed',
    [note('Approved', '1', sent), note('Done', '1', sent)],
    ['Done', 'Approved'],
  ],
  [
    'a sent draft that a person moves to Drafts',
    [note('Drafts', '1', sent), note('Done', '1', sent)],
    ['Done', 'Drafts'],
  ],
])(
  'of %s that was cut off, the path is kept from which nothing is sent or forgotten',
  (_, notes, [kept, extra]) => {
    expect(findDoubles(notes)).toEqual([{ kept: `${kept}/a.md`, extra: `${extra}/a.md` }]);
  },
);

test('a file has no double because of its number, or of a path outside of the folders', () => {
  const numbered = { hasOtherNames: false };
  expect(findDoubles([note('Drafts', '1', numbered), note('Done', '1', numbered)])).toEqual([]);
  expect(findDoubles([note('Drafts', '1'), note('Done', '2')])).toEqual([]);
});
