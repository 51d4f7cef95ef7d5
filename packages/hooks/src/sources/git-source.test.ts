import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@errand/host';
import { expect, onTestFinished, test } from 'vitest';
import type { HookEvent } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { startSource } from '../testing/start-source.ts';
import { ChainTracker } from './chain-tracker.ts';
import { gitSource } from './git-source.ts';

const patience = { timeout: 15_000, interval: 10 };
const everything: Trigger = {
  kind: 'git',
  events: ['commit', 'checkout', 'merge', 'rebase', 'push', 'tag'],
};

test('tells of commits, checkouts, merges, rebases and tags, each once and on its branch', async () => {
  const { git, commit, heard, started } = await fixture();
  commit('first');
  expect(await heard()).toEqual(['commit main first']);
  git('commit', '-q', '--amend', '--allow-empty', '-m', 'first, mended');
  expect(await heard()).toEqual(['commit main first, mended']);
  expect(gitOf(started.events.at(-2))).toMatchObject({ amended: true, author: 'Ann' });
  git('checkout', '-q', '-b', 'topic/one');
  commit('on the topic');
  git('checkout', '-q', 'main');
  git('merge', '-q', 'topic/one');
  expect(await heard()).toEqual([
    'checkout topic/one main->topic/one',
    'commit topic/one on the topic',
    'checkout main topic/one->main',
    'merge main on the topic',
  ]);
  git('checkout', '-q', 'topic/one');
  commit('a');
  commit('b');
  git('checkout', '-q', 'main');
  commit('c');
  await heard();
  git('rebase', '-q', 'main', 'topic/one');
  expect((await heard()).at(-1)).toBe('rebase topic/one ');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge it', 'topic/one');
  git('tag', 'v1');
  git('tag', '-a', '-m', 'Second', 'v2');
  git('cherry-pick', '--allow-empty', 'topic/one');
  expect((await heard()).sort()).toEqual([
    'checkout main topic/one->main',
    'commit main b',
    'merge main Merge it',
    'tag main v1',
    'tag main v2',
  ]);
  expect(new Set(started.events.map(({ id }) => id)).size).toBe(started.events.length);
  expect(started.faults).toEqual([]);
}, 60_000);

test('takes packing, pruning, status and resets for nothing', async () => {
  const { git, commit, heard, started, folder } = await fixture();
  commit('first');
  git('tag', 'v0');
  git('tag', 'v1');
  await heard();
  git('pack-refs', '--all');
  git('status');
  git('gc', '-q');
  git('reflog', 'expire', '--expire=now', '--all');
  git('checkout', '-q', 'main');
  git('reset', '-q', '--soft', 'HEAD');
  git('stash', 'list');
  git('tag', '-d', 'v1');
  expect(await heard()).toEqual([]);
  // Refs and reflog go on from what is left.
  expect(existsSync(join(folder, '.git/packed-refs'))).toBe(true);
  commit('second');
  git('tag', '-f', 'v0');
  expect(await heard()).toEqual(['commit main second', 'tag main v0']);
  const moved = started.events.findLast((event) => gitOf(event).tag === 'v0');
  expect(gitOf(moved).previous).toBe(git('rev-parse', 'HEAD~').trim());
  // A line before the last that was read is taken out.
  commit('third');
  await heard();
  git('reflog', 'delete', 'HEAD@{1}');
  commit('fourth');
  expect(await heard()).toEqual(['commit main fourth']);
});

test('tells of pushes to a bare remote, and not of fetches', async () => {
  const { git, commit, heard, started, folder } = await fixture();
  const remote = join(folder, 'remote.git');
  git('init', '-q', '--bare', '-b', 'main', remote);
  git('remote', 'add', 'origin', remote);
  commit('first');
  await heard();
  git('push', '-q', '-u', 'origin', 'main');
  expect(await heard()).toEqual(['push main origin']);
  git('clone', '-q', remote, join(folder, 'clone'));
  git('-C', 'clone', 'commit', '-q', '--allow-empty', '-m', 'of another');
  git('-C', 'clone', 'push', '-q');
  git('fetch', '-q');
  expect(await heard()).toEqual([]);
  git('pull', '-q', '--no-rebase');
  git('pack-refs', '--all');
  expect(await heard()).toEqual(['merge main of another']);
  commit('second');
  git('push', '-q');
  expect(await heard()).toEqual(['commit main second', 'push main origin']);
  expect(gitOf(started.events.findLast((event) => gitOf(event).event === 'push'))).toMatchObject({
    commit: git('rev-parse', 'HEAD').trim(),
    previous: git('rev-parse', 'HEAD~').trim(),
  });
}, 60_000);

test('follows a work tree of its own, with a detached HEAD', async () => {
  const main = await fixture();
  main.commit('first');
  const tree = join(main.folder, 'tree');
  main.git('worktree', 'add', '-q', '--detach', tree);
  const { commit, git, heard, started } = await fixture(tree);
  commit('detached');
  git('switch', '-q', '-c', 'topic');
  main.commit('in the main work tree');
  git('tag', 'v1');
  expect((await heard()).map((line) => line.replace(/[\da-f]{40}/, 'HASH'))).toEqual([
    'commit undefined detached',
    'checkout topic HASH->topic',
    'tag topic v1',
  ]);
  expect(gitOf(started.events[0])).not.toHaveProperty('tag');
});

test('a commit carries its chain in a trailer, other events that of the action that runs', async () => {
  const { commit, git, heard, chains, started } = await fixture();
  const chain = { id: 'chain-1', depth: 1, hooks: ['a'] };
  const other = { id: 'chain-2', depth: 2, hooks: ['b', 'c'] };
  {
    using _deeper = chains.begin(other);
    using _action = chains.begin(chain);
    commit('by a hook\n\nErrand-Hook-Chain: chain-1');
    git('tag', 'v1');
    await heard();
  }
  const [made] = started.events;
  const tagged = started.events.find((event) => gitOf(event).tag === 'v1');
  expect([gitOf(made).subject, made?.chain]).toEqual(['by a hook', chain]);
  expect(tagged?.chain).toMatchObject({ id: other.id, depth: 2 });
});

test('a commit and a tag right after a program has ended are not its effect, those before are', async () => {
  const { commit, git, heard, chains, started } = await fixture();
  const chain = { id: 'chain-1', depth: 1, hooks: ['a'] };
  {
    using _action = chains.begin(chain, { leavesNothing: true });
    commit('by the program');
    git('tag', 'v1');
    await heard();
  }
  await systemClock.sleep(20);
  commit('by a person');
  git('tag', 'v2');
  await heard();
  const told = new Map(
    started.events.map((event) => [gitOf(event).tag ?? gitOf(event).subject, event.chain?.id]),
  );
  const names = ['by the program', 'v1', 'by a person', 'v2'];
  expect(names.map((name) => [told.has(name), told.get(name)])).toEqual([
    [true, 'chain-1'],
    [true, 'chain-1'],
    [true, undefined],
    [true, undefined],
  ]);
});

test('after a crash what happened in the last minute is told with the same ids, after an orderly end nothing', async () => {
  const { commit, heard, started, ports } = await fixture();
  commit('told before');
  expect(await heard()).toEqual(['commit main told before']);
  // The first source still runs, as if its program had been killed: its mark stays.
  commit('not told before');
  const second = await startSource(gitSource(ports), everything);
  const told = second.events.map(({ id, fields }) => [id, gitOf({ fields } as HookEvent).subject]);
  expect(told).toMatchObject([
    [started.events.find((one) => gitOf(one).subject === 'told before')?.id, 'told before'],
    [expect.any(String), 'not told before'],
  ]);
  await second[Symbol.asyncDispose]();
  await using third = await startSource(gitSource(ports), everything);
  expect(third.events).toEqual([]);
});

test('works without reflogs, and with reasons that other programs write', async () => {
  const { commit, git, heard, folder } = await fixture(undefined, 'core.logAllRefUpdates=false');
  commit('first');
  git('checkout', '-q', '-b', 'topic');
  expect(existsSync(join(folder, '.git/logs/HEAD'))).toBe(false);
  expect(await heard()).toEqual(['checkout topic main->topic']);
  commit('second');
  expect(await heard()).toEqual(['commit topic second']);
  const wrapped = await fixture();
  wrapped.commit('first');
  process.env.GIT_REFLOG_ACTION = 'wrapper';
  onTestFinished(() => void delete process.env.GIT_REFLOG_ACTION);
  wrapped.commit('second');
  expect(await wrapped.heard()).toEqual(['commit main first', 'commit main second']);
});

test('runs nothing that the configuration of a repository names', async () => {
  const { commit, heard, folder } = await fixture();
  const marker = join(folder, 'ran');
  appendFileSync(
    join(folder, '.git/config'),
    `[core]\n\tfsmonitor = touch ${marker}\n\tpager = touch ${marker}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = touch ${marker}\n`,
  );
  // Committing by itself asks the monitor; reading the commit must not.
  const hash = 'f'.repeat(40);
  commit('first');
  await heard();
  rmSync(marker, { force: true });
  const line = `${hash} ${hash} Ann <a@example.org> 1700000000 +0000\tcommit: out of nothing\n`;
  appendFileSync(join(folder, '.git/logs/HEAD'), line);
  expect(await heard('sentinel')).toEqual(['commit main out of nothing']);
  expect(existsSync(marker)).toBe(false);
});

test('finds a repository that is made later, and reads none that no trigger wants', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'errand-git-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { git, commit, heard, started } = await fixture(folder);
  git('init', '-q', '-b', 'main');
  await started.want();
  await started.want(everything);
  commit('first');
  expect(await heard()).toEqual(['commit main first']);
  await started.want();
  await started.source[Symbol.asyncDispose]();
  const before = started.events.length;
  commit('third');
  expect(started.events).toHaveLength(before);
});

function gitOf(event: HookEvent | undefined) {
  return (event?.fields.git ?? {}) as Readonly<Record<string, unknown>>;
}

function told(event: HookEvent): string {
  const { event: name, branch, subject, from, to, tag, remote } = gitOf(event);
  const detail = from === undefined ? (tag ?? remote ?? subject ?? '') : `${from}->${to}`;
  return `${name} ${branch} ${detail}`;
}

async function fixture(existing?: string, ...config: readonly string[]) {
  const folder = existing ?? realpathSync(mkdtempSync(join(tmpdir(), 'errand-git-')));
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: environment() });
  const commit = (message: string) => git('commit', '-q', '--allow-empty', '-m', message);
  if (existing === undefined) {
    git('init', '-q', '-b', 'main');
    for (const setting of config) git('config', ...setting.split('='));
  }
  const chains = new ChainTracker(systemClock);
  const stateFolder = realpathSync(mkdtempSync(join(tmpdir(), 'errand-git-state-')));
  const ports = { folder, stateFolder, clock: systemClock, chains };
  const started = await startSource(gitSource(ports), everything);
  onTestFinished(async () => {
    await started[Symbol.asyncDispose]();
    rmSync(stateFolder, { recursive: true });
    if (existing === undefined) rmSync(folder, { recursive: true });
  });
  let seen = 0;
  let sentinels = 0;
  /** What is told of everything so far: a tag is made last and waited for. */
  const heard = async (tag = 'sentinel') => {
    sentinels += 1;
    const name = `${tag}-${sentinels}`;
    writeFileSync(join(folder, '.sentinel'), git('rev-parse', '--git-common-dir'));
    git('update-ref', `refs/tags/${name}`, git('hash-object', '-w', '.sentinel').trim());
    await expect
      .poll(() => started.events.some((one) => gitOf(one).tag === name), patience)
      .toBe(true);
    const events = started.events.slice(seen).map(told);
    seen = started.events.length;
    return events.filter((line) => !line.includes('sentinel'));
  };
  return { folder, git, commit, chains, started, heard, ports };
}

function environment() {
  return {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
  };
}
