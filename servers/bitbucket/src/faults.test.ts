import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '@errand/server-kit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changePullRequest, openPullRequest } from './testing/double/change-world.ts';
import { editions } from './testing/start-bitbucket.ts';
import { startServer } from './testing/start-server.ts';
import { useBitbucket } from './testing/use-bitbucket.ts';

const answer = (status: number, body = '', headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  body,
  headers,
});

describe.each(editions)('%s', (edition) => {
  const shared = useBitbucket(edition);
  const isCloud = edition === 'cloud';
  const said = (message: string) =>
    JSON.stringify(isCloud ? { type: 'error', error: { message } } : { errors: [{ message }] });

  /** A server of its own, since failures open the breaker of the one they happen to. */
  async function own() {
    const server = await startServer({ env: shared.bitbucket.env });
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  }
  async function web() {
    const { bitbucket } = shared;
    const known = bitbucket.world.repositories.find(({ slug }) => slug === 'web');
    if (known !== undefined) return { repository: `${bitbucket.owner}/web` };
    const repository = await bitbucket.add('web');
    await repository.git.commit('main', 'First', { 'a.txt': 'a' });
    await repository.git.commit('work', 'Work', { 'b.txt': 'b' }, { from: 'main' });
    await openPullRequest(bitbucket.world, repository, {
      author: bitbucket.grace,
      title: 'Work',
      from: { repository, branch: 'work' },
      target: 'main',
    });
    return { repository: `${bitbucket.owner}/web` };
  }

  test.each<[Fault, string, RegExp]>([
    [answer(401, said('No')), 'auth_required', /does not accept this .*No/],
    [answer(403, said('Not you')), 'permission_denied', /Not you.*permission to read/],
    [answer(404, said('Gone')), 'not_found', /There is no repository.*Gone/],
    [answer(400, said('Bad filter')), 'invalid_input', /Bad filter/],
    [
      answer(200, '<html>Log in</html>', { 'content-type': 'text/html' }),
      'mcp_unavailable',
      /login page of a proxy/,
    ],
    [answer(429, '', { 'retry-after': '120' }), 'rate_limited', /slow down/],
  ])('answers %j with %s, after one request', async (fault, error, message) => {
    const input = await web();
    const { server, bitbucket } = shared;
    const { proxy } = bitbucket;
    const before = proxy.requests.length;
    void proxy.fault({ path: /branches/, times: 99 }, fault);
    const failure = await server.call('list_branches', input);
    expect(failure).toMatchObject({ error, message: expect.stringMatching(message) });
    expect(failure.details.url).not.toContain('?');
    expect(
      proxy.requests.slice(before).filter(({ path }) => path.includes('branches')),
    ).toHaveLength(1);
    expect(await server.call('health_check')).toMatchObject(
      error === 'invalid_input' ? {} : { last_error: { error } },
    );
    if (error === 'rate_limited') expect(failure.details).toMatchObject({ retry_after: 120 });
  });

  test('takes the page of a proxy for no diff', async () => {
    const input = await web();
    const { call } = await own();
    const { proxy } = shared.bitbucket;
    const page = answer(200, '<html>Log in</html>', { 'content-type': 'text/html; charset=utf-8' });
    const failure = {
      error: 'mcp_unavailable',
      message: expect.stringMatching(/login page of a proxy/),
    };
    void proxy.fault({ path: /diff/ }, page);
    expect(await call('get_pull_request_diff', { ...input, pull_request: 1 })).toMatchObject(
      failure,
    );
    void proxy.fault({ path: /diff/ }, page);
    const comparison = { ...input, from: 'main', to: 'work', show: 'diff' };
    expect(await call('compare', comparison)).toMatchObject(failure);
  });

  test.runIf(isCloud)('takes a cursor with the names of prototypes for a cursor', async () => {
    const input = await web();
    const { call } = await own();
    const page = await call('list_branches', { ...input, limit: 1 });
    const [format, question] = JSON.parse(Buffer.from(page.next_cursor, 'base64url').toString());
    const parts = [format, question, 0, '?constructor=x&__proto__=y&page=1'];
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect(await call('list_branches', { ...input, cursor })).toHaveProperty('branches.0');
  });

  test('repeats what only reads after 429, 503, a cut connection and a cut answer', async () => {
    const input = await web();
    const server = await own();
    const { proxy } = shared.bitbucket;
    void proxy.fault({ path: /branches/ }, answer(429, '', { 'retry-after': '1' }));
    expect(await server.call('list_branches', input)).toHaveProperty('branches.0');
    void proxy.fault({ path: /branches/ }, answer(503));
    expect(await server.call('list_branches', input)).toHaveProperty('branches.0');
    void proxy.fault({ path: /branches/ }, { kind: 'cut-before' });
    void proxy.fault({ path: /branches/ }, { kind: 'cut-answer' });
    expect(await server.call('list_branches', input)).toHaveProperty('branches.0');
  });

  test('sends no change again whose outcome is not known, and one that was refused for now', async () => {
    const input = { ...(await web()), pull_request: 1 };
    const server = await own();
    const { proxy, world } = shared.bitbucket;
    const posts = () =>
      proxy.requests.filter(({ method, path }) => method === 'POST' && path.includes('comments'));
    void proxy.fault({ method: 'POST' }, answer(502, '<html>'));
    expect(await server.call('add_comment', { ...input, text: 'One' })).toMatchObject({
      error: 'mcp_unavailable',
      details: { state: 'unclear' },
    });
    expect(posts()).toHaveLength(1);
    void proxy.fault({ method: 'POST' }, answer(429, '', { 'retry-after': '1' }));
    expect(await server.call('add_comment', { ...input, text: 'Two' })).toHaveProperty('id');
    expect(posts()).toHaveLength(3);
    const [request] = world.repositories.find(({ slug }) => slug === 'web')?.pullRequests ?? [];
    expect(request?.comments.map(({ text }) => text)).toEqual(['Two']);
  });

  test('does not take the change of somebody else for its own that did not arrive', async () => {
    const input = { ...(await web()), pull_request: 1 };
    const { call } = await own();
    const { world, grace, proxy } = shared.bitbucket;
    const [request] = world.repositories.find(({ slug }) => slug === 'web')?.pullRequests ?? [];
    if (request === undefined) throw new Error('There is no pull request.');
    const arrived = proxy.fault({ method: 'PUT' }, answer(502));
    const changing = call('update_pull_request', { ...input, title: 'Mine' });
    await arrived;
    changePullRequest(world, request, grace, { title: "Grace's" });
    expect(await changing).toMatchObject({ details: { state: 'unclear' } });
    expect(request.title).toBe("Grace's");
  });

  test.each([
    ['get_commit', { commit: '..' }],
    ['get_commit', { commit: '.' }],
    ['get_build_status', { commit: 'main/../..' }],
    ['list_commits', { at: 'a..b' }],
    ['get_file', { path: 'a/../b' }],
    ['get_file', { path: '\ud800' }],
    ['list_directory', { path: './a' }],
    ['list_branches', { repository: '../web' }],
    ['list_branches', { repository: 'a/b/c' }],
    ['list_branches', { repository: 'a b/c' }],
    ['list_pull_requests', { author: '' }],
    ['list_branches', { cursor: 'x' }],
    ['list_branches', { cursor: Buffer.from('[1,"x",0,9]').toString('base64url') }],
  ])('asks nothing for %s with %j', async (tool, given) => {
    const input = await web();
    const { call, bitbucket } = shared;
    await call('list_branches', input);
    const before = bitbucket.proxy.requests.length;
    expect(await call(tool, { ...input, ...given })).toMatchObject({ error: 'invalid_input' });
    expect(bitbucket.proxy.requests.slice(before)).toEqual([]);
  });

  // The same client serves both editions.
  test.runIf(isCloud)(
    'stops asking a Bitbucket that fails again and again, and says so',
    async () => {
      const input = await web();
      const server = await own();
      const { proxy } = shared.bitbucket;
      void proxy.fault({ path: /branches/, times: 99 }, answer(500));
      expect(await server.call('list_branches', input)).toMatchObject({ error: 'mcp_unavailable' });
      expect(await server.call('list_branches', input)).toMatchObject({ error: 'mcp_unavailable' });
      const before = proxy.requests.length;
      expect(await server.call('list_branches', input)).toMatchObject({
        error: 'mcp_unavailable',
        message: expect.stringContaining('left alone'),
        details: { reason: 'breaker_open', retry_after: expect.any(Number) },
      });
      expect(proxy.requests).toHaveLength(before);
    },
  );

  test('does not follow to another host, nor take a next page there', async () => {
    const input = await web();
    const server = await own();
    const seen: unknown[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/2.0/x?page=2`;
    const { proxy } = shared.bitbucket;
    void proxy.fault({ path: /branches/ }, answer(302, '', { location: url }));
    expect(await server.call('list_branches', input)).toMatchObject({
      error: 'mcp_unavailable',
      message: expect.stringContaining('credentials do not go'),
    });
    const page = isCloud
      ? { values: [{ type: 'branch', name: 'x' }], next: url }
      : { values: [{ displayId: 'x' }], isLastPage: true };
    void proxy.fault({ path: /branches/ }, answer(200, JSON.stringify(page)));
    await server.call('list_branches', input);
    expect(seen).toEqual([]);
  });

  test('waits for a slow answer, and ends the request when the caller leaves', async () => {
    const input = await web();
    const server = await own();
    const { proxy } = shared.bitbucket;
    void proxy.fault({ path: /branches/ }, { kind: 'hold-after', until: delay(300) });
    expect(await server.call('list_branches', input)).toHaveProperty('branches.0');
    const never = Promise.withResolvers<void>();
    onTestFinished(() => never.resolve());
    const held = proxy.fault({ path: /branches/ }, { kind: 'hold-before', until: never.promise });
    const controller = new AbortController();
    const leaving = server.client.callTool(
      { name: 'list_branches', arguments: input },
      { signal: controller.signal },
    );
    await held;
    controller.abort();
    await expect(leaving).rejects.toThrow();
    never.resolve();
    expect(await server.call('get_repository', input)).toHaveProperty('repository');
  });
});
