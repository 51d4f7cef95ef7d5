import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ActionContext } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext, actionVault } from '../testing/action-fixture.ts';
import { gitRunner } from './git-action.ts';

type Parameters = ActionOf<'git'>['parameters'];

const identity = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

/** A vault with one commit, which a bare remote has, too. */
async function repository() {
  const vault = await actionVault();
  const { folder, outside } = vault;
  const env = { ...process.env, ...identity };
  const gitIn = async (cwd: string, ...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd, env })).stdout.trimEnd();
  const git = (...args: string[]) => gitIn(folder, ...args);
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const remote = join(outside, 'remote.git');
  await gitIn(outside, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', remote);
  write('Note.md', 'one\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message=first');
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
  const runner = gitRunner({ ...vault, env });
  const action = (parameters: Parameters): ActionOf<'git'> => ({ type: 'git', parameters });
  return {
    ...vault,
    git,
    write,
    remote,
    inRemote: (...args: string[]) => gitIn(remote, ...args),
    clone: async () => {
      const path = join(outside, 'clone');
      await gitIn(outside, 'clone', '--quiet', remote, path);
      return { path, git: (...args: string[]) => gitIn(path, ...args) };
    },
    run: (parameters: Parameters, change: Partial<ActionContext> = {}) =>
      runner.run(action(parameters), actionContext(change)),
    preview: (parameters: Parameters, change: Partial<ActionContext> = {}) =>
      runner.preview(action(parameters), actionContext(change)),
    isRepeatable: (operation: Parameters['operation']) =>
      runner.isRepeatable(action({ operation })),
  };
}

const commit = { operation: 'commit', messageTemplate: 'notes' } as const;

test('commits the paths it names with a trailer of the chain, and leaves what a person staged', async () => {
  await using it = await repository();
  it.write('[a]*.md', 'new');
  it.write('Note.md', 'two\n');
  it.write('Staged.md', 'mine');
  await it.git('add', 'Staged.md');
  const outcome = await it.run(
    { operation: 'commit', messageTemplate: 'docs: {{ feature }}', paths: ['{{ file }}'] },
    { fields: { feature: '--amend "$(id)"', file: '[a]*.md' } },
  );
  expect(outcome).toEqual({
    status: 'success',
    output: { commit: await it.git('rev-parse', 'HEAD'), branch: 'main' },
  });
  expect(await it.git('log', '-1', '--format=%B')).toBe(
    'docs: --amend "$(id)"\n\nErrand-Hook-Chain: chain-1',
  );
  expect(await it.git('show', '--name-only', '--format=')).toBe('[a]*.md');
  expect(await it.git('diff', '--cached', '--name-only')).toBe('Staged.md');
  expect(await it.inRemote('rev-list', '--count', 'main')).toBe('1');
});

test('commits everything of the vault when it names no path, deletions too, and pushes when asked to', async () => {
  await using it = await repository();
  it.write('New.md', 'new');
  rmSync(join(it.folder, 'Note.md'));
  const outcome = await it.run({ ...commit, pushToRemote: true });
  expect(outcome).toMatchObject({ status: 'success', output: { pushedTo: 'origin' } });
  expect(await it.inRemote('show', '--name-status', '--format=%s', 'main')).toBe(
    'notes\n\nA\tNew.md\nD\tNote.md',
  );
});

test.each(['*.md', ':/', ':(glob)**'])(
  'takes the path %s as a name, not as a pattern',
  async (file) => {
    await using it = await repository();
    it.write('Note.md', 'two\n');
    const outcome = await it.run({ ...commit, paths: ['{{ file }}'] }, { fields: { file } });
    expect(outcome).toMatchObject({ status: 'skipped' });
    expect(await it.git('status', '--porcelain')).toBe(' M Note.md');
  },
);

test('skips when there is nothing to commit or to stash', async () => {
  await using it = await repository();
  expect(await it.run(commit)).toMatchObject({ status: 'skipped', code: 'nothing_to_do' });
  expect(await it.run({ operation: 'stash' })).toMatchObject({ status: 'skipped' });
  expect(await it.git('rev-list', '--count', 'HEAD')).toBe('1');
});

test('honours the hooks of the repository, and shows what they say', async () => {
  await using it = await repository();
  const hook = join(it.folder, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\necho "$ERRAND_HOOK_CHAIN: no spelling mistakes" >&2\nexit 1\n');
  chmodSync(hook, 0o755);
  it.write('Note.md', 'tow\n');
  const outcome = await it.run(commit);
  expect(outcome).toMatchObject({
    status: 'failure',
    code: 'git_failed',
    message: expect.stringMatching(/"id":"chain-1".*: no spelling mistakes$/),
  });
  expect(outcome.isTransient).toBeUndefined();
  expect(await it.git('rev-list', '--count', 'HEAD')).toBe('1');
});

test('says that a commit was made when only its push failed', async () => {
  await using it = await repository();
  const other = await it.clone();
  writeFileSync(join(other.path, 'Other.md'), 'x');
  await other.git('add', '.');
  await other.git('commit', '--quiet', '--message=other');
  await other.git('push', '--quiet');
  it.write('Note.md', 'two\n');
  const outcome = await it.run({ ...commit, pushToRemote: true });
  expect(outcome).toMatchObject({
    status: 'failure',
    message: expect.stringMatching(/^Commit \w{10} was made, but not pushed\. .*pull first\.$/s),
    output: { commit: await it.git('rev-parse', 'HEAD') },
  });
  expect(outcome.isTransient).toBeUndefined();
});

test('pushes, and pulls what can be fast-forwarded', async () => {
  await using it = await repository();
  const other = await it.clone();
  it.write('Note.md', 'two\n');
  await it.run(commit);
  expect(await it.run({ operation: 'push' })).toEqual({
    status: 'success',
    output: { remote: 'origin', branch: 'main' },
  });
  expect(await it.inRemote('log', '-1', '--format=%s', 'main')).toBe('notes');
  const behind = gitRunner({ ...it, folder: other.path, env: identity });
  const pull: ActionOf<'git'> = { type: 'git', parameters: { operation: 'pull' } };
  expect(await behind.run(pull, actionContext())).toMatchObject({ status: 'success' });
  expect(readFileSync(join(other.path, 'Note.md'), 'utf8')).toBe('two\n');
  // Both change the same line: notes get no conflict marks.
  it.write('Note.md', 'three\n');
  await it.run({ ...commit, pushToRemote: true });
  writeFileSync(join(other.path, 'Note.md'), 'drei\n');
  await other.git('commit', '--quiet', '--all', '--message=drei');
  const diverged = await behind.run(pull, actionContext());
  expect(diverged).toMatchObject({
    status: 'failure',
    message: expect.stringMatching(/Only a fast-forward is made here.* Pull by hand\.$/),
  });
  expect(diverged.isTransient).toBeUndefined();
  expect(readFileSync(join(other.path, 'Note.md'), 'utf8')).toBe('drei\n');
  expect(await other.git('status', '--porcelain')).toBe('');
});

test('calls it transient that a remote cannot be reached, and shows no password of its address', async () => {
  await using it = await repository();
  await it.git('remote', 'set-url', 'origin', 'http://ada:open-sesame@127.0.0.1:9/x.git');
  const outcome = await it.run({ operation: 'push' });
  expect(outcome).toMatchObject({ status: 'failure', isTransient: true });
  expect(outcome.message).toMatch(/the remote needs an SSH key or a credential helper\.$/);
  const hook = join(it.folder, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\ngit remote get-url origin >&2\nexit 1\n', { mode: 0o755 });
  it.write('Note.md', 'two\n');
  const told = `${outcome.message} ${(await it.run(commit)).message}`;
  expect(told).toContain('http://127.0.0.1:9/x.git');
  expect(told).not.toContain('open-sesame');
});

test('calls it transient that another git works in the repository', async () => {
  await using it = await repository();
  it.write('.git/index.lock', '');
  it.write('Note.md', 'two\n');
  expect(await it.run(commit)).toMatchObject({ status: 'failure', isTransient: true });
  rmSync(join(it.folder, '.git/index.lock'));
  expect(await it.run(commit)).toMatchObject({ status: 'success' });
});

test('creates and checks out branches, tags and stashes', async () => {
  await using it = await repository();
  const fields = { feature: '001-plan' };
  const create = { operation: 'create-branch', branch: '{{ feature }}' } as const;
  expect(await it.run(create, { fields })).toMatchObject({ output: { branch: '001-plan' } });
  expect(await it.git('branch', '--show-current')).toBe('main');
  expect(await it.run(create, { fields })).toMatchObject({ status: 'failure' });
  const checkout = { operation: 'checkout-branch', branch: '001-plan' } as const;
  expect(await it.run(checkout)).toMatchObject({ status: 'success' });
  expect(await it.git('branch', '--show-current')).toBe('001-plan');
  expect(await it.run({ operation: 'tag', tag: 'v1', pushToRemote: true })).toMatchObject({
    output: { tag: 'v1', pushedTo: 'origin' },
  });
  expect(await it.inRemote('tag')).toBe('v1');
  await it.run({ operation: 'tag', tag: 'v2', messageTemplate: 'second' });
  expect(await it.git('tag', '-l', '--format=%(contents)', 'v2')).toBe(
    'second\n\nErrand-Hook-Chain: chain-1',
  );
  it.write('Note.md', 'changed\n');
  expect(await it.run({ operation: 'stash', messageTemplate: 'wip' })).toMatchObject({
    status: 'success',
  });
  expect(await it.git('stash', 'list', '--format=%s')).toBe('On 001-plan: wip');
  expect(readFileSync(join(it.folder, 'Note.md'), 'utf8')).toBe('one\n');
});

test('merges a branch with a trailer, and leaves no conflict in a note', async () => {
  await using it = await repository();
  await it.git('switch', '--quiet', '--create', 'topic');
  it.write('Topic.md', 'topic');
  await it.git('add', '.');
  await it.git('commit', '--quiet', '--message=topic');
  await it.git('switch', '--quiet', 'main');
  it.write('Main.md', 'main');
  await it.run(commit);
  expect(await it.run({ operation: 'merge', branch: 'topic' })).toMatchObject({
    status: 'success',
  });
  expect(await it.git('log', '-1', '--format=%B')).toBe(
    "Merge branch 'topic'\n\nErrand-Hook-Chain: chain-1",
  );
  await it.git('switch', '--quiet', 'topic');
  it.write('Note.md', 'topic\n');
  await it.git('commit', '--quiet', '--all', '--message=topic');
  await it.git('switch', '--quiet', 'main');
  it.write('Note.md', 'main\n');
  await it.run(commit);
  it.write('Draft.md', 'not committed');
  const outcome = await it.run({ operation: 'merge', branch: 'topic' });
  expect(outcome).toMatchObject({ status: 'failure', code: 'merge_conflict' });
  expect(readFileSync(join(it.folder, 'Note.md'), 'utf8')).toBe('main\n');
  expect(await it.git('status', '--porcelain')).toBe('?? Draft.md');
  expect(existsSync(join(it.folder, '.git/MERGE_HEAD'))).toBe(false);
});

test.each<[Parameters, RegExp]>([
  [{ operation: 'create-branch', branch: '--upload-pack=x' }, /"branch" begins with "-"/],
  [{ operation: 'checkout-branch', branch: '{{ evil }}' }, /"branch" begins with "-"/],
  [{ operation: 'merge', branch: 'a..b' }, /"branch" is no name that git allows/],
  [{ operation: 'tag', tag: '-d' }, /"tag" begins with "-"/],
  [{ operation: 'tag' }, /Write "tag": tag needs it/],
  [{ operation: 'push', remote: '--receive-pack=x' }, /"remote" begins with "-"/],
  [{ operation: 'push', remote: 'nowhere' }, /no remote "nowhere". It has origin/],
  [{ operation: 'push', remote: '../remote.git' }, /"remote" is no name/],
  [{ operation: 'merge', branch: 'nothing' }, /There is no branch "nothing"/],
  [{ operation: 'commit' }, /Write "messageTemplate"/],
  [{ operation: 'commit', messageTemplate: '{{ long }}' }, /501 characters long; at most 500/],
  [{ ...commit, paths: ['../outside'] }, /"paths" may name only what is in the vault/],
  [{ ...commit, paths: ['/etc'] }, /"paths" may name only what is in the vault/],
  [{ ...commit, messageTemplate: '{{ evl }}' }, /"messageTemplate": .*evil/],
])('refuses %j', async (parameters, message) => {
  await using it = await repository();
  const fields = { evil: '-f', long: 'x'.repeat(501) };
  it.write('Note.md', 'two\n');
  const outcome = await it.run(parameters, { fields });
  expect(outcome).toMatchObject({ status: 'failure', message: expect.stringMatching(message) });
  expect(await it.git('rev-list', '--count', '--all')).toBe('1');
});

test('says that the vault is in no repository', async () => {
  await using vault = await actionVault();
  const runner = gitRunner({ ...vault, env: { GIT_CEILING_DIRECTORIES: vault.outside } });
  const action: ActionOf<'git'> = { type: 'git', parameters: commit };
  const expected = { code: 'no_repository', message: expect.stringContaining('git init') };
  expect(await runner.run(action, actionContext())).toMatchObject(expected);
  const { problems } = await runner.preview(action, actionContext());
  expect(problems).toEqual([expect.stringContaining('git init')]);
});

test('ends a git that hangs, with the hook it runs', async () => {
  await using it = await repository();
  const hook = join(it.folder, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\ntouch started\nsleep 60\n');
  chmodSync(hook, 0o755);
  it.write('Note.md', 'two\n');
  const cancel = new AbortController();
  const running = it.run(commit, { signal: cancel.signal });
  await expect.poll(() => readdirSync(it.folder), { timeout: 10_000 }).toContain('started');
  cancel.abort();
  expect(await running).toMatchObject({ status: 'cancelled' });
  expect(existsSync(join(it.folder, '.git/index.lock'))).toBe(false);
  expect(await it.run({ ...commit, timeout: 300 })).toMatchObject({ status: 'timeout' });
  expect(await it.git('rev-list', '--count', 'HEAD')).toBe('1');
});

test('shows what it would do, and what may be repeated', async () => {
  await using it = await repository();
  it.write('Note.md', 'two\n');
  expect(await it.preview(commit)).toEqual({
    resolved: {
      operation: 'commit',
      message: 'notes',
      paths: ['.'],
      pushToRemote: false,
      trailer: 'Errand-Hook-Chain: chain-1',
    },
    problems: [],
  });
  expect(await it.git('status', '--porcelain')).toBe(' M Note.md');
  const operations = [
    'push',
    'pull',
    'checkout-branch',
    'commit',
    'merge',
    'tag',
    'stash',
  ] as const;
  expect(operations.filter(it.isRepeatable)).toEqual(['push', 'pull', 'checkout-branch']);
});

test.each<[string, Parameters, readonly [inside: boolean, outside: boolean]]>([
  ['a push', { operation: 'push' }, [false, false]],
  ['a tag', { operation: 'tag', tag: 'v1' }, [false, false]],
  ['a new branch', { operation: 'create-branch', branch: 'b' }, [false, false]],
  ['a commit of a folder', { operation: 'commit', paths: ['specs/'] }, [true, false]],
  ['a commit of everything', { operation: 'commit' }, [true, true]],
  ['a commit of the whole vault', { operation: 'commit', paths: ['.'] }, [true, true]],
  ['a commit of what an event names', { operation: 'commit', paths: ['{{ a }}'] }, [true, true]],
  ['a stash of a folder', { operation: 'stash', paths: ['./specs'] }, [true, false]],
  ['a pull', { operation: 'pull', paths: ['specs'] }, [true, true]],
])('says which files %s may change', (_, parameters, expected) => {
  const { mayWrite } = gitRunner({} as never);
  const action = { type: 'git', parameters } as const;
  const paths = ['specs/a/plan.md', 'specsheet.md'];
  expect(paths.map((path) => mayWrite?.(action, path))).toEqual(expected);
});
