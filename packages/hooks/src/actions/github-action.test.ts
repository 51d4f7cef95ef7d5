import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemorySecretStore } from '@errand/host/testing';
import { createEmulator } from 'emulate';
import { expect, test } from 'vitest';
import type { ActionContext } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { actionContext } from '../testing/action-fixture.ts';
import { githubRunner } from './github-action.ts';

type Parameters = Partial<ActionOf<'github'>['parameters']>;

const token = 'ghp_open_sesame';

async function gitHubAt(url: string) {
  const secrets = createMemorySecretStore();
  await secrets.set('github', token);
  const runner = githubRunner({ references: { env: {}, secrets } });
  const action = (parameters: Parameters): ActionOf<'github'> => ({
    type: 'github',
    parameters: {
      operation: 'open-issue',
      repository: 'ada/notes',
      token: `$\{secret:github}`,
      url,
      ...parameters,
    },
  });
  return {
    isRepeatable: (parameters: Parameters) => runner.isRepeatable(action(parameters)),
    preview: (parameters: Parameters, change: Partial<ActionContext> = {}) =>
      runner.preview(action(parameters), actionContext(change)),
    run: async (parameters: Parameters, change: Partial<ActionContext> = {}) => {
      const outcome = await runner.run(action(parameters), actionContext(change));
      expect(JSON.stringify(outcome)).not.toContain(token);
      return outcome;
    },
  };
}

/** The stateful double of GitHub, with a repository, a second person and a branch. */
async function emulated() {
  const port = await freePort();
  const emulator = await createEmulator({
    service: 'github',
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    seed: {
      tokens: { [token]: { login: 'ada', scopes: ['repo'] } },
      github: {
        users: [{ login: 'ada' }, { login: 'bob' }],
        repos: [{ owner: 'ada', name: 'notes', auto_init: true }],
      },
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const api = async (path: string, body?: unknown, method = body ? 'POST' : 'GET') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/repos/ada/notes${path}`, init);
    return response.json() as Promise<Record<string, never>>;
  };
  return { ...(await gitHubAt(url)), url, api, [Symbol.asyncDispose]: () => emulator.close() };
}

async function freePort(): Promise<number> {
  await using server = await listening(() => {});
  return server.port;
}

/** A server that answers as it is told. */
async function listening(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('carries out every operation on issues', async () => {
  await using it = await emulated();
  const opened = await it.run(
    { title: '{{ feature }} failed', body: '{{ why }}', labels: ['bug', 'hook'], assignees: 'bob' },
    { fields: { feature: 'plan', why: 'no {{ template }} in it' } },
  );
  expect(opened).toMatchObject({
    status: 'success',
    output: { number: 1, url: expect.stringContaining('/ada/notes/issues/1'), state: 'open' },
  });
  expect(await it.api('/issues/1')).toMatchObject({
    title: 'plan failed',
    body: 'no {{ template }} in it',
    labels: [{ name: 'bug' }, { name: 'hook' }],
    assignees: [{ login: 'bob' }],
  });
  // The number of the issue that an earlier action opened.
  const fields = { actions: [opened] };
  const issueNumber = '{{ actions[0].output.number }}';
  const run = (parameters: Parameters) => it.run({ issueNumber, ...parameters }, { fields });
  expect(await run({ operation: 'add-comment', body: 'seen' })).toMatchObject({
    status: 'success',
    output: { id: expect.any(Number) },
  });
  expect(await it.api('/issues/1/comments')).toMatchObject([{ body: 'seen' }]);
  expect(await run({ operation: 'add-label', labels: ['later'] })).toMatchObject({
    output: { labels: expect.arrayContaining(['bug', 'later']) },
  });
  await run({ operation: 'remove-label', labelName: 'bug' });
  await run({ operation: 'assign-issue', assignees: ['ada'] });
  expect(await run({ operation: 'close-issue', reason: 'not_planned' })).toMatchObject({
    output: { state: 'closed' },
  });
  expect(await it.api('/issues/1')).toMatchObject({
    state: 'closed',
    state_reason: 'not_planned',
    labels: [{ name: 'hook' }, { name: 'later' }],
    assignees: [{ login: 'bob' }, { login: 'ada' }],
  });
});

test('carries out every operation on pull requests and releases', async () => {
  await using it = await emulated();
  for (const branch of ['topic', 'other']) {
    const { object } = (await it.api('/git/ref/heads/main')) as never as {
      object: { sha: string };
    };
    await it.api('/git/refs', { ref: `refs/heads/${branch}`, sha: object.sha });
    const content = Buffer.from(branch).toString('base64');
    await it.api(`/contents/${branch}.md`, { message: branch, content, branch }, 'PUT');
  }
  const create = { operation: 'create-pr', title: 'Topic', baseBranch: 'main' } as const;
  const opened = await it.run(
    { ...create, headBranch: '{{ branch }}' },
    { fields: { branch: 'topic' } },
  );
  expect(opened).toMatchObject({ status: 'success', output: { state: 'open' } });
  const { number } = opened.output as { number: number };
  const run = (parameters: Parameters) => it.run({ prNumber: number, ...parameters });
  expect(await run({ operation: 'request-review', reviewers: ['bob'] })).toMatchObject({
    status: 'success',
  });
  expect(await it.api(`/pulls/${number}`)).toMatchObject({
    requested_reviewers: [{ login: 'bob' }],
  });
  expect(await run({ operation: 'add-comment', body: 'ready' })).toMatchObject({
    status: 'success',
  });
  expect(await run({ operation: 'merge-pr', mergeMethod: 'squash' })).toMatchObject({
    status: 'success',
    output: { merged: true },
  });
  expect(await it.api(`/pulls/${number}`)).toMatchObject({ merged: true });
  const second = await it.run({ ...create, headBranch: 'other', draft: true });
  const { number: prNumber } = second.output as { number: number };
  await it.run({ operation: 'close-pr', prNumber });
  expect(await it.api(`/pulls/${prNumber}`)).toMatchObject({ state: 'closed', merged: false });
  const release = { tagName: 'v1', releaseName: 'One', releaseBody: 'First.', prerelease: true };
  expect(await it.run({ operation: 'create-release', ...release })).toMatchObject({
    status: 'success',
    output: { tag: 'v1', url: expect.stringContaining('v1') },
  });
  expect(await it.api('/releases/tags/v1')).toMatchObject({ name: 'One', prerelease: true });
});

test('says what to do about what the real answers of the double refuse', async () => {
  await using it = await emulated();
  await it.run({ operation: 'create-release', tagName: 'v1' });
  const cases: readonly [Parameters, string, RegExp][] = [
    [
      { title: 'x', repository: 'ada/gone' },
      'github_404',
      /Either there is no ada\/gone .*give the token access\./,
    ],
    [{ operation: 'close-issue', issueNumber: 99 }, 'github_404', /no such issue/],
    [
      { operation: 'create-release', tagName: 'v1' },
      'github_422',
      /\(Validation failed\)\. Correct the parameters of the action\.$/,
    ],
  ];
  for (const [parameters, code, message] of cases) {
    const outcome = await it.run(parameters);
    expect(outcome).toMatchObject({
      status: 'failure',
      code,
      message: expect.stringMatching(message),
    });
    expect(outcome.isTransient).toBeUndefined();
  }
});

test.each<[number, Readonly<Record<string, string>>, string, RegExp]>([
  [401, {}, 'github_401', /does not know the token \$\{secret:github\}.* Set it again\.$/],
  [
    403,
    {},
    'github_403',
    /may not do that in ada\/notes. Give it the permission to write there\.$/,
  ],
  [
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' },
    'rate_limited',
    /again after 2027-01-15T08:00:00/,
  ],
  [429, { 'retry-after': '60' }, 'rate_limited', /again after 60 s, or less often\.$/],
  [429, {}, 'rate_limited', /in a few minutes/],
  [301, { location: '/elsewhere' }, 'github_moved', /ada\/notes has moved. Write its new name/],
  [307, { location: '/elsewhere' }, 'github_moved', /has moved/],
  [502, {}, 'github_uncertain', /may have been done, so it is not repeated/],
])('asks once, and says what to do about %i %j', async (status, headers, code, message) => {
  const asked: (string | undefined)[] = [];
  await using server = await listening((request, response) => {
    asked.push(request.url);
    const body = JSON.stringify({ message: `token ${request.headers.authorization}` });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const { run } = await gitHubAt(server.url);
  const outcome = await run({ title: 'x' });
  expect(outcome).toMatchObject({
    status: 'failure',
    code,
    message: expect.stringMatching(message),
  });
  expect(outcome.isTransient).toBeUndefined();
  expect(asked).toEqual(['/repos/ada/notes/issues']);
});

test('does not repeat a write whose answer was lost, came too late, or was not waited for', async () => {
  let asked = 0;
  await using server = await listening((request, response) => {
    asked += 1;
    if (request.url?.startsWith('/lost')) response.destroy();
  });
  const lost = await gitHubAt(`${server.url}/lost`);
  expect(await lost.run({ title: 'x' })).toMatchObject({
    status: 'failure',
    code: 'github_uncertain',
    message: expect.stringContaining('It may have been done, so it is not repeated'),
  });
  const hanging = await gitHubAt(server.url);
  const expected = { message: expect.stringContaining('It may have been done') };
  const late = await hanging.run({ title: 'x', timeout: 300 });
  expect(late).toMatchObject({ status: 'timeout', ...expected });
  const cancel = new AbortController();
  const running = hanging.run({ title: 'x' }, { signal: cancel.signal });
  await expect.poll(() => asked).toBe(3);
  cancel.abort();
  const cancelled = await running;
  expect(cancelled).toMatchObject({ status: 'cancelled', ...expected });
  expect([late.isTransient, cancelled.isTransient, asked]).toEqual([undefined, undefined, 3]);
  expect(hanging.isRepeatable({ operation: 'close-issue' })).toBe(false);
});

test('calls it transient that GitHub cannot be reached at all', async () => {
  const { run } = await gitHubAt(`http://127.0.0.1:${await freePort()}`);
  expect(await run({ title: 'x' })).toMatchObject({
    status: 'failure',
    code: 'github_unreachable',
    isTransient: true,
  });
});

test.each<[Parameters, RegExp]>([
  [{}, /"title": Write a title/],
  [{ title: '{{ empty }}' }, /"title": Write a title/],
  [{ title: '{{ titel }}' }, /"title": .*"title"/],
  [{ title: 'x', repository: 'notes' }, /Write "owner\/name"/],
  [{ title: 'x', repository: 'ada/notes/../../x' }, /Write "owner\/name"/],
  [{ title: 'x', token }, /Keep it as a secret/],
  [{ title: 'x', token: `$\{secret:none}` }, /needs the secret "none", which is not set/],
  [{ title: 'x', url: 'http://github.example.org/api/v3' }, /begins with https:\/\//],
  [{ title: 'x', url: 'https://{{ host }}/api' }, /begins with https:\/\//],
  [{ operation: 'close-issue' }, /"issueNumber": Write the number of an issue/],
  [{ operation: 'close-issue', issueNumber: 'seven' }, /"issueNumber": Write a number/],
  [{ operation: 'merge-pr', prNumber: 1, mergeMethod: 'fast' }, /"merge", "squash" or "rebase"/],
  [{ operation: 'request-review', prNumber: 1 }, /"reviewers": Write one name or more/],
])('refuses %j before anything is sent', async (parameters, message) => {
  const { run, preview } = await gitHubAt('http://127.0.0.1:9');
  const fields = { title: 'x', empty: '', host: 'evil.example.org' };
  const outcome = await run(parameters, { fields });
  expect(outcome).toMatchObject({ status: 'failure', message: expect.stringMatching(message) });
  expect((await preview(parameters, { fields })).problems.join()).toMatch(message);
});

test('shows what it would ask for, of the repository at hand when none is named', async () => {
  const { preview } = await gitHubAt('http://127.0.0.1:9');
  const fields = { repoOwner: 'ada', repoName: 'vault', feature: 'plan' };
  const shown = await preview({ title: '{{ feature }}', repository: undefined }, { fields });
  expect(shown).toEqual({
    resolved: {
      repository: 'ada/vault',
      url: 'http://127.0.0.1:9',
      route: 'POST /repos/{owner}/{repo}/issues',
      title: 'plan',
    },
    problems: [],
  });
});
