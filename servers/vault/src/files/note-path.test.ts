import { expect, test } from 'vitest';
import { folderPath, notePath, refuseUnportable } from './note-path.ts';

test.each([
  ['Plan.md', ['Plan.md']],
  ['Projects/Plan.md', ['Projects', 'Plan.md']],
  ['./Projects//Plan.MD', ['Projects', 'Plan.MD']],
  ['100%.md', ['100%.md']],
  ['…and then.md', ['…and then.md']],
  ['A／B.md', ['A／B.md']],
  ['家族/👨‍👩‍👧.md', ['家族', '👨‍👩‍👧.md']],
  ['vault..backup/a..b.md', ['vault..backup', 'a..b.md']],
])('accepts %j', (path, segments) => {
  expect(notePath(path)).toEqual(segments);
});

test.each([
  '../secret.md',
  'a/../../secret.md',
  'a/../b.md',
  '..\\secret.md',
  'a\\..\\..\\secret.md',
  '/etc/passwd.md',
  '//server/share.md',
  '\\\\server\\share.md',
  'C:\\notes.md',
  'c:/notes.md',
  '~/notes.md',
  'file:///etc/passwd.md',
  '%2e%2e/secret.md',
  '%2E%2E%2Fsecret.md',
  '..%2fsecret.md',
  '%252e%252e%252fsecret.md',
  '%5c%5cserver%5cshare.md',
  '%2fetc/passwd.md',
  '．．/secret.md',
  '．．／secret.md',
  '‥/secret.md',
  '.. /secret.md',
  '..\u200b/secret.md',
  '.obsidian/app.md',
  '.OBSIDIAN/app.md',
  'a/.git/config.md',
  '.errand/log.md',
  '.trash/old.md',
  '.hidden.md',
  '\u200c.git/config.md',
  '.g\u200cit/config.md',
])('refuses %j as outside or hidden', (path) => {
  expect(() => notePath(path)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
});

test.each([
  '',
  '.',
  'Projects/',
  'Plan',
  'Plan.txt',
  '.md',
  'a\0.md',
  'a\ud800.md',
  'Projects\\Plan.md',
])('refuses %j as no note', (path) => {
  expect(() => notePath(path)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/invalid_input|permission_denied/) }),
  );
});

test.each(['', '.', './', '././'])('takes %j for the vault itself', (path) => {
  expect(folderPath(path)).toEqual([]);
});

test.each([
  'con.md',
  'NUL',
  'com1.md',
  'LPT¹.md',
  'aux .md',
  'conin$',
  'why?.md',
  'a:b.md',
  'a<b>.md',
  'a|b.md',
  'a*.md',
  '"a".md',
  'folder.',
  'folder ',
  'a\u0007.md',
  `${'ä'.repeat(127)}.md`,
])('does not make %j, which some system cannot hold', (name) => {
  expect(() => refuseUnportable([name])).toThrow(
    expect.objectContaining({ code: 'invalid_input' }),
  );
});

test.each(['concept.md', 'com10.md', 'Nullification.md', 'ä'.repeat(126)])(
  'makes %j, which looks like a forbidden name but is not',
  (name) => {
    expect(() => refuseUnportable([name])).not.toThrow();
  },
);
