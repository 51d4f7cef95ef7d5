import { describe, expect, test } from 'vitest';
import { changePullRequest, openPullRequest } from './testing/double/change-world.ts';
import type { CommitFiles } from './testing/double/git-repository.ts';
import { editions } from './testing/start-bitbucket.ts';
import { useBitbucket } from './testing/use-bitbucket.ts';

describe.each(editions)('%s', (edition) => {
  const shared = useBitbucket(edition, ['--destructive']);
  const isCloud = edition === 'cloud';

  /** A repository with a branch that has changes, and a pull request of Grace for it. */
  async function opened(slug: string, files: CommitFiles = { 'a.txt': 'one\ntwo\n' }) {
    const { world, owner, grace, ada } = shared.bitbucket;
    const repository = await shared.bitbucket.add(slug);
    await repository.git.commit('main', 'First', { 'a.txt': 'one\n', 'old.txt': 'x\n'.repeat(20) });
    await repository.git.commit('work', 'Work', files, { from: 'main' });
    const request = await openPullRequest(world, repository, {
      author: grace,
      title: 'Add two',
      description: 'Because of **one**.',
      from: { repository, branch: 'work' },
      target: 'main',
      reviewers: [ada],
    });
    return { repository, request, name: { repository: `${owner}/${slug}`, pull_request: 1 } };
  }
  const sent = (method: string, path: RegExp) =>
    shared.bitbucket.proxy.forwarded.filter(
      (each) => each.method === method && path.test(each.path),
    );

  test('lists and shows pull requests by state, person and target', async () => {
    const { name, request } = await opened('listed');
    const { call } = shared;
    const { pull_requests } = await call('list_pull_requests', { repository: name.repository });
    expect(pull_requests).toHaveLength(1);
    expect(pull_requests[0]).not.toHaveProperty('description');
    expect(await call('get_pull_request', name)).toMatchObject({
      id: 1,
      title: 'Add two',
      description: 'Because of **one**.',
      state: 'open',
      author: { name: 'Grace Hopper' },
      source: { branch: 'work' },
      target: { branch: 'main' },
      reviewers: [{ name: 'Ada Lovelace', review: 'none' }],
    });
    const count = async (query: object) =>
      (await call('list_pull_requests', { repository: name.repository, ...query })).pull_requests
        .length;
    const grace = pull_requests[0].author.id;
    expect(await count({ author: grace })).toBe(1);
    expect(await count({ reviewer: grace })).toBe(0);
    expect(await count({ mine: 'reviewer' })).toBe(1);
    expect(await count({ mine: 'author' })).toBe(0);
    expect(await count({ target: 'main' })).toBe(1);
    expect(await count({ target: 'other' })).toBe(0);
    request.state = 'DECLINED';
    expect(await count({})).toBe(0);
    expect(await count({ state: 'all' })).toBe(1);
  });

  test('shows the diff as a whole, of one file, and of a renamed one by both names', async () => {
    const { name } = await opened('diffed', {
      'a.txt': 'one\ntwo\n',
      'neu ö.txt': { renameFrom: 'old.txt' },
      'bin.dat': new Uint8Array([0, 1, 2]),
    });
    const { call } = shared;
    const { diff } = await call('get_pull_request_diff', name);
    expect(diff).toContain('+two');
    expect(diff).toContain('rename from old.txt');
    expect(diff).toMatch(/Binary files/);
    const one = await call('get_pull_request_diff', { ...name, path: 'a.txt' });
    expect(one.diff).toContain('+two');
    expect(one.diff).not.toContain('rename');
    const renamed = await call('get_pull_request_diff', { ...name, path: 'neu ö.txt' });
    expect(renamed.diff).not.toContain('+two');
    expect(renamed.diff).not.toBe('');
    const { changes } = await call('list_pull_request_changes', name);
    expect(changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'neu ö.txt', type: 'renamed', old_path: 'old.txt' }),
        expect.objectContaining({ path: 'a.txt', type: 'modified' }),
      ]),
    );
  });

  test('shows a diff of 100,000 lines in pages that fit together, and refuses a page of an old one', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
    const { name, repository } = await opened('huge', { 'big.txt': lines.join('\n') });
    const { call, bitbucket } = shared;
    const query = { ...name, max_length: 200_000 };
    let text = '';
    let cursor: string | undefined;
    let first: string | undefined;
    do {
      const page = await call('get_pull_request_diff', { ...query, ...(cursor && { cursor }) });
      text += page.diff;
      cursor = page.next_cursor;
      first ??= cursor;
    } while (cursor !== undefined);
    expect(text.split('\n').filter((line) => /^\+line \d+$/.test(line))).toHaveLength(100_000);
    // Asked for once; the pages after the first came from the copy.
    expect(sent('GET', /huge.*(\.diff|\/diff$)/)).toHaveLength(1);
    await repository.git.commit('work', 'More', { 'more.txt': 'x' });
    void bitbucket;
    expect(await call('get_pull_request_diff', { ...query, cursor: first })).toMatchObject({
      error: 'conflict',
    });
  });

  test('opens a pull request from a fork, with default reviewers, as a draft', async () => {
    const { world, owner, ada, grace } = shared.bitbucket;
    const { repository } = await opened('forked');
    repository.defaultReviewers.push(ada, grace);
    const personal = isCloud ? 'ada-l' : '~ada';
    const fork = await world.addRepository(personal, 'forked', repository);
    await fork.git.commit('mine', 'Mine', { 'mine.txt': 'm' }, { from: 'main' });
    const made = await shared.call('create_pull_request', {
      repository: `${owner}/forked`,
      title: 'From a fork',
      source: 'mine',
      source_repository: `${personal}/forked`,
      draft: true,
    });
    expect(made).toMatchObject({
      id: 2,
      draft: true,
      source: { branch: 'mine', repository: `${personal}/forked` },
      target: { branch: 'main' },
      author: { name: 'Ada Lovelace' },
      reviewers: [{ name: 'Grace Hopper' }],
    });
    const diff = await shared.call('get_pull_request_diff', {
      repository: `${owner}/forked`,
      pull_request: 2,
    });
    expect(diff.diff).toContain('mine.txt');
  });

  test('finds the pull request whose answer got lost, and opens no second one', async () => {
    const { repository, name } = await opened('lost-create');
    await repository.git.commit('more', 'More', { 'm.txt': 'm' }, { from: 'main' });
    void shared.bitbucket.proxy.fault({ method: 'POST' }, { kind: 'cut-after' });
    const request = { repository: name.repository, title: 'Lost', source: 'more' };
    expect(await shared.call('create_pull_request', request)).toMatchObject({ id: 2 });
    expect(repository.pullRequests).toHaveLength(2);
    expect(await shared.call('create_pull_request', request)).toMatchObject({
      error: 'conflict',
      message: expect.stringContaining('Only one pull request'),
    });
  });

  test('changes only what it is told, and says who changed it to what when the version is old', async () => {
    const { name, request } = await opened('edited');
    const { call, bitbucket } = shared;
    const { version } = await call('get_pull_request', name);
    const changed = await call('update_pull_request', { ...name, version, title: 'New title' });
    expect(changed).toMatchObject({
      title: 'New title',
      description: 'Because of **one**.',
      reviewers: [{ name: 'Ada Lovelace' }],
    });
    changePullRequest(bitbucket.world, request, bitbucket.grace, { title: "Grace's title" });
    const stale = await call('update_pull_request', {
      ...name,
      version: changed.version,
      title: 'Mine',
    });
    expect(stale).toMatchObject({
      error: 'conflict',
      message: expect.stringMatching(/Grace Hopper changed it.*"Grace's title"/),
      details: { changed_by: 'Grace Hopper', now: { title: "Grace's title" } },
    });
    expect(request.title).toBe("Grace's title");
  });

  test('reviews: approves, wants work, and takes it back', async () => {
    const { name } = await opened('reviewed');
    const { call } = shared;
    const review = async (given: string) =>
      (await call('review_pull_request', { ...name, review: given })).reviewers[0].review;
    expect(await review('approve')).toBe('approved');
    expect(await review('needs_work')).toBe('needs_work');
    expect(await review('withdraw')).toBe('none');
    expect(await review('withdraw')).toBe('none');
  });

  test('merges what was read, for real, and a second time changes nothing', async () => {
    const { name, repository } = await opened('merged');
    const { call } = shared;
    const { version } = await call('get_pull_request', name);
    const merged = await call('merge_pull_request', { ...name, version, message: 'Merge it' });
    expect(merged).toMatchObject({ merged: true });
    const [commit] = await repository.git.log(['-1', 'main']);
    expect(commit).toMatchObject({ hash: merged.merge_commit, message: 'Merge it' });
    expect(await call('merge_pull_request', { ...name, version })).toMatchObject({
      merged: true,
      already_merged: true,
      merge_commit: merged.merge_commit,
    });
    expect(sent('POST', /\/merged\/.*merge/)).toHaveLength(1);
  });

  test('merges once when several ask at the same moment', async () => {
    const { name, repository } = await opened('at-once');
    const { version } = await shared.call('get_pull_request', name);
    const asked = Array.from({ length: 5 }, () =>
      shared.call('merge_pull_request', { ...name, version }),
    );
    for (const answer of await Promise.all(asked)) {
      expect(answer.merged === true || answer.error === 'conflict').toBe(true);
    }
    expect(await repository.git.log(['--first-parent', 'main'])).toHaveLength(2);
  });

  test('refuses to merge another version than was read, and says who changed it to what', async () => {
    const { name, request, repository } = await opened('stale');
    const { call, bitbucket } = shared;
    const { version } = await call('get_pull_request', name);
    changePullRequest(bitbucket.world, request, bitbucket.grace, { title: 'Not ready' });
    expect(await call('merge_pull_request', { ...name, version })).toMatchObject({
      error: 'conflict',
      message: expect.stringMatching(/Grace Hopper changed it.*"Not ready"/),
      details: { given_version: version, changed_by: 'Grace Hopper', now: { title: 'Not ready' } },
    });
    expect(request.state).toBe('OPEN');
    expect(sent('POST', /\/stale\/.*merge/)).toHaveLength(0);
    expect((await repository.git.log(['main'])).length).toBe(1);
  });

  test.each(['cut-after', 'cut-answer'] as const)(
    'asks what became of a merge whose answer was lost (%s), and merges once',
    async (kind) => {
      const { name, request } = await opened(`lost-${kind}`);
      const { call, bitbucket } = shared;
      void bitbucket.proxy.fault({ method: 'POST', path: /\/merge$/ }, { kind });
      expect(await call('merge_pull_request', name)).toMatchObject({ merged: true });
      expect(request.state).toBe('MERGED');
      expect(sent('POST', new RegExp(`/lost-${kind}/.*merge`))).toHaveLength(1);
    },
  );

  test('says that nobody knows when a merge does not show, and does not merge again', async () => {
    const { name, request } = await opened('unclear');
    const { call, bitbucket } = shared;
    void bitbucket.proxy.fault({ method: 'POST', path: /\/merge$/ }, { kind: 'cut-before' });
    expect(await call('merge_pull_request', name)).toMatchObject({
      error: 'mcp_unavailable',
      message: expect.stringContaining('Look again before you repeat it'),
      details: { state: 'unclear' },
    });
    expect(request.state).toBe('OPEN');
    expect(sent('POST', /\/unclear\/.*merge/)).toHaveLength(0);
  });

  test('tells vetoes, open tasks and conflicts of a merge', async () => {
    const { name, repository, request } = await opened('vetoed');
    const { call } = shared;
    repository.vetoes.push('Two approvals are needed.');
    expect(await call('merge_pull_request', name)).toMatchObject({
      error: 'conflict',
      message: expect.stringContaining('Two approvals are needed.'),
    });
    repository.vetoes.length = 0;
    const task = await call('set_task', { ...name, text: 'Write a test' });
    expect(await call('merge_pull_request', name)).toMatchObject({ error: 'conflict' });
    await call('set_task', { ...name, task: task.id, state: 'resolved' });
    await repository.git.commit('main', 'Other', { 'a.txt': 'one\nother\n' });
    expect(await call('merge_pull_request', name)).toMatchObject({
      error: 'conflict',
      message: expect.stringContaining('conflict'),
    });
    expect(request.state).toBe('OPEN');
  });

  test('declines once', async () => {
    const { name, request } = await opened('declined');
    const { call, bitbucket } = shared;
    void bitbucket.proxy.fault({ method: 'POST', path: /decline$/ }, { kind: 'cut-after' });
    expect(await call('decline_pull_request', name)).toMatchObject({ declined: true });
    expect(await call('decline_pull_request', name)).toMatchObject({ declined: true });
    expect(request.state).toBe('DECLINED');
    expect(sent('POST', /\/declined\/.*decline/)).toHaveLength(1);
  });

  test('shows my inbox: what waits for my review, and what I wrote', async () => {
    const { name, repository } = await opened('inbox');
    const { call, bitbucket, all } = shared;
    await repository.git.commit('own', 'Own', { 'own.txt': 'o' }, { from: 'main' });
    await call('create_pull_request', { repository: name.repository, title: 'Own', source: 'own' });
    const at = isCloud ? { workspace: bitbucket.owner } : {};
    const waiting = await all('my_inbox', 'pull_requests', at);
    expect(waiting).toContainEqual(expect.objectContaining({ repository: name.repository, id: 1 }));
    const own = await all('my_inbox', 'pull_requests', { ...at, role: 'author' });
    expect(own).toContainEqual(expect.objectContaining({ title: 'Own' }));
    expect(own.every(({ author }) => author.name === 'Ada Lovelace')).toBe(true);
  });
});
