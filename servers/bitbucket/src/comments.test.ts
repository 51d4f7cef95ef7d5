import { describe, expect, test } from 'vitest';
import { addComment, openPullRequest } from './testing/double/change-world.ts';
import { editions } from './testing/start-bitbucket.ts';
import { useBitbucket } from './testing/use-bitbucket.ts';

describe.each(editions)('%s', (edition) => {
  const shared = useBitbucket(edition, ['--destructive']);
  const isCloud = edition === 'cloud';

  async function opened(slug: string) {
    const { world, owner, grace } = shared.bitbucket;
    const repository = await shared.bitbucket.add(slug);
    await repository.git.commit('main', 'First', { 'old.txt': 'one\ntwo\nthree\nfour\n' });
    const moved = { 'new.txt': { renameFrom: 'old.txt' }, 'a.txt': 'a\n' };
    await repository.git.commit('work', 'Work', moved, { from: 'main' });
    const request = await openPullRequest(world, repository, {
      author: grace,
      title: 'Work',
      from: { repository, branch: 'work' },
      target: 'main',
    });
    return { repository, request, name: { repository: `${owner}/${slug}`, pull_request: 1 } };
  }

  test('comments in general, on a line, on a renamed file and as a reply, and shows threads', async () => {
    const { name } = await opened('threads');
    const { call } = shared;
    const general = await call('add_comment', { ...name, text: 'Ü **general** 🎉' });
    const inline = await call('add_comment', { ...name, text: 'Here', path: 'a.txt', line: 1 });
    expect(inline).toMatchObject({ inline: { path: 'a.txt', line: 1, side: 'new' } });
    const place = { path: 'new.txt', old_path: 'old.txt', line: 2, side: 'old' };
    await call('add_comment', { ...name, text: 'There', ...place });
    const reply = await call('add_comment', { ...name, text: 'Yes', reply_to: general.id });
    await call('add_comment', { ...name, text: 'And', reply_to: reply.id });
    await call('add_comment', { ...name, text: 'Later', pending: true });
    const { threads } = await call('list_comments', name);
    expect(threads).toHaveLength(4);
    const first = threads.find(({ id }: { id: number }) => id === general.id);
    expect(first).toMatchObject({ text: 'Ü **general** 🎉', author: { name: 'Ada Lovelace' } });
    expect(
      first.replies.map(({ text, parent }: { text: string; parent: number }) => [text, parent]),
    ).toEqual([
      ['Yes', general.id],
      ['And', reply.id],
    ]);
    const removed = threads.find(({ text }: { text: string }) => text === 'There');
    expect(removed.inline).toMatchObject({ path: 'new.txt', line: 2, side: 'old' });
    if (!isCloud) expect(removed.inline.old_path).toBe('old.txt');
    const pending = threads.find(({ text }: { text: string }) => text === 'Later');
    expect(pending).toMatchObject({ pending: true });
    expect(await call('add_comment', { ...name, text: 'x', path: 'a.txt' })).toMatchObject({
      error: 'invalid_input',
    });
  });

  test('lists 10,000 comments to the end, each once', async () => {
    const { name, request } = await opened('many');
    const { world, grace } = shared.bitbucket;
    for (let count = 0; count < 10_000; count += 1) {
      addComment(world, request, { author: grace, text: `comment ${count}` });
    }
    const threads = await shared.all('list_comments', 'threads', { ...name, limit: 100 });
    expect(new Set(threads.map(({ text }) => text)).size).toBe(10_000);
    expect(threads).toHaveLength(10_000);
  });

  test('changes, resolves and deletes a comment, and says who changed it to what when it was changed', async () => {
    const { name, request } = await opened('edited');
    const { call } = shared;
    const made = await call('add_comment', { ...name, text: 'First' });
    const comment = { ...name, comment: made.id };
    const second = await call('update_comment', {
      ...comment,
      text: 'Second',
      version: made.version,
    });
    expect(second).toMatchObject({ text: 'Second' });
    expect(
      await call('update_comment', { ...comment, text: 'Third', version: made.version }),
    ).toMatchObject({
      error: 'conflict',
      message: expect.stringMatching(/Ada Lovelace wrote "Second"/),
      details: { current_version: second.version, now: { text: 'Second' } },
    });
    expect(await call('resolve_comment', comment)).toMatchObject({ resolved: true });
    expect(await call('resolve_comment', comment)).toMatchObject({ resolved: true });
    const only = async (resolved: boolean) =>
      (await call('list_comments', { ...name, resolved })).threads.length;
    expect([await only(true), await only(false)]).toEqual([1, 0]);
    expect(await call('resolve_comment', { ...comment, resolved: false })).toMatchObject({
      resolved: false,
    });
    expect(await call('delete_comment', comment)).toEqual({ deleted: true });
    expect(await call('delete_comment', comment)).toMatchObject({ error: 'not_found' });
    expect(request.comments.every(({ isDeleted }) => isDeleted)).toBe(true);
  });

  test('finds the comment whose answer got lost, and says it once', async () => {
    const { name, request } = await opened('lost');
    const { call, bitbucket } = shared;
    void bitbucket.proxy.fault({ method: 'POST', path: /comments$/ }, { kind: 'cut-after' });
    const said = await call('add_comment', { ...name, text: 'Only once' });
    expect(said).toMatchObject({ text: 'Only once' });
    expect(request.comments).toHaveLength(1);
    void bitbucket.proxy.fault({ method: 'POST', path: /comments$/ }, { kind: 'cut-before' });
    expect(await call('add_comment', { ...name, text: 'Never' })).toMatchObject({
      error: 'mcp_unavailable',
      details: { state: 'unclear' },
    });
    expect(request.comments).toHaveLength(1);
  });

  test('does not take what it said before for the comment whose answer got lost', async () => {
    const { name, request } = await opened('said-before');
    const { call, bitbucket } = shared;
    const { world, ada } = bitbucket;
    const earlier = addComment(world, request, { author: ada, text: 'Same' });
    Object.assign(earlier, { created: Date.now() - 86_400_000 });
    const other = addComment(world, request, { author: ada, text: 'Other' });
    addComment(world, request, { author: ada, text: 'Same', parent: other.id });
    void bitbucket.proxy.fault({ method: 'POST', path: /comments$/ }, { kind: 'cut-before' });
    expect(await call('add_comment', { ...name, text: 'Same' })).toMatchObject({
      error: 'mcp_unavailable',
      details: { state: 'unclear' },
    });
    expect(request.comments).toHaveLength(3);
  });

  test('adds tasks, to a comment too, and resolves them', async () => {
    const { name } = await opened('tasks');
    const { call } = shared;
    const comment = await call('add_comment', { ...name, text: 'Look' });
    const task = await call('set_task', { ...name, text: 'Write a test', comment: comment.id });
    expect(task).toMatchObject({ state: 'open', comment: comment.id });
    const done = await call('set_task', { ...name, task: task.id, state: 'resolved' });
    expect(done).toMatchObject({ state: 'resolved', text: 'Write a test' });
    const { tasks } = await call('list_tasks', name);
    expect(tasks).toEqual([expect.objectContaining({ id: task.id, state: 'resolved' })]);
    expect(await call('set_task', name)).toMatchObject({ error: 'invalid_input' });
  });
});
