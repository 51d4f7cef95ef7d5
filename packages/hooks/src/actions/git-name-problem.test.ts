import { expect, test } from 'vitest';
import { gitNameProblem } from './git-name-problem.ts';

test.each(['main', '001-plan', 'feature/a-b', 'v1.0.2', 'ümlaut', 'a@b'])('allows %s', (name) => {
  expect(gitNameProblem(name)).toBeUndefined();
});

test.each([
  ...['', '-d', '--force', '--upload-pack=touch x', '@', 'HEAD', 'a..b', 'a b', 'a\nb'],
  ...['a~1', 'a^', 'a:b', 'a?', 'a*', 'a[b', 'a\\b', 'a@{1}', '/a', 'a/', 'a//b', '.a', 'a/.b'],
  ...['a.lock', 'a.lock/b', 'a.'],
])('refuses %j', (name) => {
  expect(gitNameProblem(name)).toBeDefined();
});
