import { describe, expect, test } from 'vitest';
import { editions } from './testing/start-bitbucket.ts';
import { useBitbucket } from './testing/use-bitbucket.ts';

describe.each(editions)('%s', (edition) => {
  const shared = useBitbucket(edition);
  const isCloud = edition === 'cloud';

  test('shows projects, repositories and their default branch', async () => {
    const { bitbucket, call } = shared;
    const web = await bitbucket.add('web');
    await web.git.commit('main', 'First', { 'a.txt': 'a' });
    const repository = `${bitbucket.owner}/web`;
    const { projects } = await call('list_projects', isCloud ? { workspace: 'acme' } : {});
    expect(projects[0]).toMatchObject(isCloud ? { key: 'acme/CORE' } : { key: 'ACME' });
    const { repositories } = await call('list_repositories', { project: bitbucket.owner });
    expect(repositories).toContainEqual(expect.objectContaining({ repository, is_private: true }));
    expect(await call('get_repository', { repository })).toMatchObject({
      repository,
      default_branch: 'main',
      description: 'Code of web',
    });
  });

  test('finds repositories of persons, forks, and names that need to be escaped', async () => {
    const { bitbucket, call } = shared;
    const { world, owner } = bitbucket;
    const personal = isCloud ? 'ada-l' : '~ada';
    const odd = await world.addRepository(personal, 'odd.name+1_ü');
    await odd.git.commit('main', 'Ünïcödé', { 'Ordner mit ü/#1 100%?.txt': 'Grüße' });
    const original = await bitbucket.add('original');
    await original.git.commit('main', 'First', { 'a.txt': 'a' });
    await world.addRepository(personal, 'copy', original);
    const repository = `${personal}/odd.name+1_ü`;
    expect(await call('get_repository', { repository })).toMatchObject({ repository });
    expect(await call('get_repository', { repository: `${personal}/copy` })).toMatchObject({
      fork_of: `${owner}/original`,
    });
    const path = 'Ordner mit ü/#1 100%?.txt';
    expect(await call('get_file', { repository, path })).toMatchObject({ path, text: 'Grüße' });
    const { entries } = await call('list_directory', { repository });
    expect(entries).toEqual([{ path: 'Ordner mit ü', type: 'directory' }]);
    const inside = await call('list_directory', { repository, path: 'Ordner mit ü/' });
    expect(inside.entries).toEqual([{ path, type: 'file', size: 7 }]);
  });

  test('lists 10,000 branches to the end, each once, by its cursor', async () => {
    const { bitbucket, all } = shared;
    const { git } = await bitbucket.add('many');
    const commit = await git.commit('main', 'First', { 'a.txt': 'a' });
    const names = Array.from({ length: 9999 }, (_, index) => `b/${String(index).padStart(4, '0')}`);
    await git.createBranches(names, commit);
    const repository = `${bitbucket.owner}/many`;
    const found = await all('list_branches', 'branches', { repository, limit: 100 });
    expect(found).toHaveLength(10_000);
    expect(new Set(found.map(({ name }) => name)).size).toBe(10_000);
    const some = await all('list_branches', 'branches', { repository, filter: 'b/123' });
    expect(some.map(({ name }) => name)).toEqual(names.slice(1230, 1240));
  });

  test('refuses a cursor of another question', async () => {
    const { bitbucket, call } = shared;
    const repository = `${bitbucket.owner}/many`;
    const { next_cursor: cursor } = await call('list_branches', { repository, limit: 5 });
    expect(await call('list_branches', { repository, filter: 'x', cursor })).toMatchObject({
      error: 'invalid_input',
      message: expect.stringContaining('cursor'),
    });
  });

  test('creates a branch, says when there is one, and finds out what became of a lost answer', async () => {
    const { bitbucket, call } = shared;
    const { git } = await bitbucket.add('branching');
    const commit = await git.commit('main', 'First', { 'a.txt': 'a' });
    const repository = `${bitbucket.owner}/branching`;
    const branch = { repository, name: 'feature/x', from: 'main' };
    expect(await call('create_branch', branch)).toMatchObject({ name: 'feature/x', commit });
    expect(await call('create_branch', branch)).toMatchObject({
      error: 'conflict',
      details: { commit },
    });
    void bitbucket.proxy.fault({ method: 'POST' }, { kind: 'cut-after' });
    const lost = { ...branch, name: 'feature/lost' };
    expect(await call('create_branch', lost)).toMatchObject({ name: 'feature/lost', commit });
    const posts = bitbucket.proxy.forwarded.filter(
      ({ method, body }) => method === 'POST' && body.includes('feature/lost'),
    );
    expect(posts).toHaveLength(1);
  });

  test('shows commits, what they changed, and the history of a renamed file', async () => {
    const { bitbucket, call } = shared;
    const { git } = await bitbucket.add('history');
    await git.commit('main', 'First', { 'old name.txt': 'one\ntwo\nthree\n', 'b.txt': 'b' });
    const moved = await git.commit('main', 'Move it\n\nWith a body', {
      'new name.txt': { renameFrom: 'old name.txt' },
    });
    await git.commit('main', 'Third', { 'b.txt': null }, { author: 'Grace Hopper' });
    const repository = `${bitbucket.owner}/history`;
    const { commits } = await call('list_commits', { repository });
    expect(commits.map(({ message }: { message: string }) => message.split('\n')[0])).toEqual([
      'Third',
      'Move it',
      'First',
    ]);
    expect(commits[0]).toMatchObject({ author: 'Grace Hopper', parents: [moved] });
    const old = await call('list_commits', { repository, path: 'new name.txt' });
    expect(old.commits).toHaveLength(2);
    expect(await call('get_commit', { repository, commit: moved })).toMatchObject({
      id: moved,
      message: 'Move it\n\nWith a body',
      changes: [{ path: 'new name.txt', type: 'renamed', old_path: 'old name.txt' }],
    });
  });

  test('compares branches whose names hold slashes: commits, files and lines', async () => {
    const { bitbucket, call } = shared;
    const { git } = await bitbucket.add('compared');
    await git.commit('main', 'First', { 'a.txt': 'one\n' });
    await git.commit('feature/deep/name', 'Work', { 'a.txt': 'one\ntwo\n' }, { from: 'main' });
    await git.commit('main', 'Elsewhere', { 'c.txt': 'c' });
    const repository = `${bitbucket.owner}/compared`;
    const both = { repository, from: 'main', to: 'feature/deep/name' };
    const { commits } = await call('compare', { ...both, show: 'commits' });
    expect(commits.map(({ message }: { message: string }) => message)).toEqual(['Work']);
    const { changes } = await call('compare', both);
    expect(changes).toEqual([expect.objectContaining({ path: 'a.txt', type: 'modified' })]);
    const { diff } = await call('compare', { ...both, show: 'diff' });
    expect(diff).toContain('\n+two\n');
    expect(await call('get_file', { repository, path: 'a.txt', at: 'feature/deep/name' })).toEqual({
      path: 'a.txt',
      size: 8,
      text: 'one\ntwo\n',
    });
  });

  test('reads a text of 50 MB in parts, a binary file not at all, and asks again only for what changed', async () => {
    const { bitbucket, call } = shared;
    const { git } = await bitbucket.add('large');
    const line = 'äöü a line of text that is long enough\n';
    const text = line.repeat(Math.ceil((50 * 1024 * 1024) / Buffer.byteLength(line)));
    await git.commit('main', 'First', {
      'large.txt': text,
      'image.png': new Uint8Array([137, 80, 78, 71, 0, 0, 1]),
      'small.txt': 'first\nsecond\nthird\n',
    });
    const repository = `${bitbucket.owner}/large`;
    const large = { repository, path: 'large.txt', max_length: 1000 };
    const first = await call('get_file', large);
    expect(first).toMatchObject({ size: Buffer.byteLength(text) });
    expect(first.text.length).toBeLessThanOrEqual(1000);
    expect(text.startsWith(first.text)).toBe(true);
    const second = await call('get_file', { ...large, cursor: first.next_cursor });
    expect(text.startsWith(first.text + second.text)).toBe(true);
    expect(await call('get_file', { repository, path: 'image.png' })).toEqual({
      path: 'image.png',
      size: 7,
      is_binary: true,
    });
    const small = { repository, path: 'small.txt' };
    expect(await call('get_file', { ...small, start_line: 2 })).toMatchObject({
      text: 'second\nthird\n',
    });
    await call('get_file', small);
    const last = bitbucket.proxy.requests.at(-1);
    expect(last?.headers['if-none-match']).toMatch(/^"/);
  });

  test('finds text in code, with the lines', async () => {
    const { bitbucket, call } = shared;
    const { git } = await bitbucket.add('searched');
    await git.commit('main', 'First', {
      'src/a.ts': 'first\nconst needle = "<b>&";\nlast\n',
      'b.ts': 'nothing',
    });
    const repository = `${bitbucket.owner}/searched`;
    const { hits } = await call('search_code', { query: 'needle', repository });
    expect(hits).toEqual([
      { repository, path: 'src/a.ts', lines: [{ line: 2, text: 'const needle = "<b>&";' }] },
    ]);
  });

  if (!isCloud) {
    test('shows that a repository is archived, and why it cannot be changed', async () => {
      const { bitbucket, call } = shared;
      const archived = await bitbucket.add('archived');
      await archived.git.commit('main', 'First', { 'a.txt': 'a' });
      archived.isArchived = true;
      const repository = `${bitbucket.owner}/archived`;
      expect(await call('get_repository', { repository })).toMatchObject({ is_archived: true });
      const branch = { repository, name: 'x', from: 'main' };
      expect(await call('create_branch', branch)).toMatchObject({
        error: 'conflict',
        message: expect.stringContaining('archived'),
      });
    });
  }

  test.each([
    ['get_repository', { repository: '../x' }],
    ['get_repository', { repository: 'a/b/c' }],
    ['get_repository', { repository: 'alone' }],
    ['get_file', { repository: 'a/b', path: '../../x' }],
    ['get_file', { repository: 'a/b', path: 'x', at: '--output=x' }],
    ['list_branches', { repository: 'a/b', limit: 0 }],
    ['list_branches', { repository: 'a/b', filtr: 'x' }],
  ])('refuses %s with %j and asks nobody', async (tool, input) => {
    const { bitbucket, call } = shared;
    const asked = bitbucket.proxy.requests.length;
    expect(await call(tool, input)).toMatchObject({ error: 'invalid_input' });
    expect(bitbucket.proxy.requests).toHaveLength(asked);
  });
});
