import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTokenGiver } from './testing/cloud/start-cloud.ts';
import { openPullRequest } from './testing/double/change-world.ts';
import { type Bitbucket, basic, secrets, startBitbucket } from './testing/start-bitbucket.ts';
import { startServer } from './testing/start-server.ts';

/** Starts a server with an environment of its own and asks for the repositories. */
async function ask(env: Readonly<Record<string, string>>) {
  await using server = await startServer({ env });
  const answer = await server.call('list_repositories');
  const health = await server.call('health_check');
  const shown = [
    JSON.stringify([answer, health]),
    server.stderr(),
    readFileSync(`/proc/${server.pid}/cmdline`, 'utf8'),
  ].join('\n');
  return { answer, health, shown, refused: server.refused() };
}

describe('Data Center', () => {
  let bitbucket: Bitbucket;
  beforeAll(async () => {
    bitbucket = await startBitbucket('data-center');
    await bitbucket.add('web');
  });
  afterAll(() => bitbucket[Symbol.asyncDispose]());

  test('takes an HTTP access token, also from a file that is renewed while the server runs', async () => {
    const { url, world, known, ada } = bitbucket;
    const file = join(world.folder, 'token');
    writeFileSync(file, `${secrets['data-center']}\n`, { mode: 0o600 });
    const env = { BITBUCKET_URL: url, BITBUCKET_TOKEN_FILE: file };
    await using server = await startServer({ env });
    expect(await server.call('list_repositories')).toHaveProperty('repositories.0');
    writeFileSync(file, 'dc-secret-token-2');
    expect(await server.call('list_repositories')).toMatchObject({ error: 'auth_required' });
    known.set('Bearer dc-secret-token-2', ada);
    expect(await server.call('list_repositories')).toHaveProperty('repositories.0');
  });

  test('takes user and password', async () => {
    const { url, known, ada } = bitbucket;
    known.set(basic('ada', 'pass-secret-1'), ada);
    const env = { BITBUCKET_URL: url, BITBUCKET_USERNAME: 'ada' };
    const { answer, shown } = await ask({ ...env, BITBUCKET_PASSWORD: 'pass-secret-1' });
    expect(answer).toHaveProperty('repositories.0');
    expect(shown).not.toContain('secret');
    const wrong = await ask({ ...env, BITBUCKET_PASSWORD: 'pass-secret-2' });
    expect(wrong.answer).toMatchObject({
      error: 'auth_required',
      message: expect.stringMatching(/does not accept this user and password.*BITBUCKET_TOKEN/),
    });
    expect(wrong.shown).not.toContain('secret');
  });

  test('works with a token of a project, which belongs to nobody, and says what needs a person', async () => {
    bitbucket.known.set('Bearer project-secret-1', null);
    const env = { BITBUCKET_URL: bitbucket.url, BITBUCKET_TOKEN: 'project-secret-1' };
    await using server = await startServer({ env });
    expect(await server.call('list_repositories')).toHaveProperty('repositories.0');
    const web = { repository: 'ACME/web' };
    const review = { ...web, pull_request: 1, review: 'approve' };
    const nobody = {
      error: 'permission_denied',
      message: expect.stringContaining('belongs to no person'),
    };
    expect(await server.call('review_pull_request', review)).toMatchObject(nobody);
    const mine = { ...web, mine: 'author' };
    expect(await server.call('list_pull_requests', mine)).toMatchObject(nobody);
  });

  test('names persons by user names, and itself by its slug where an address needs it', async () => {
    const { world, known, url } = bitbucket;
    const linus = world.user('linus');
    const repository = await bitbucket.add('named');
    await repository.git.commit('main', 'First', { 'a.txt': 'a' });
    await repository.git.commit('work', 'Work', { 'b.txt': 'b' }, { from: 'main' });
    const from = { repository, branch: 'work' };
    const opened = { author: bitbucket.grace, title: 'Work', from, target: 'main' };
    await openPullRequest(world, repository, { ...opened, reviewers: [linus] });
    known.set('Bearer linus-secret-1', linus);
    await using server = await startServer({
      env: { BITBUCKET_URL: url, BITBUCKET_TOKEN: 'linus-secret-1' },
    });
    const name = { repository: 'ACME/named', pull_request: 1 };
    const reviewers = [{ id: 'linus@example.org', review: 'approved' }];
    expect(await server.call('review_pull_request', { ...name, review: 'approve' })).toMatchObject({
      reviewers,
    });
    expect(await server.call('update_pull_request', { ...name, title: 'New' })).toMatchObject({
      title: 'New',
      reviewers: [{ id: 'linus@example.org' }],
    });
    const mine = { repository: name.repository, mine: 'reviewer' };
    expect(await server.call('list_pull_requests', mine)).toMatchObject({
      pull_requests: [{ id: 1 }],
    });
  });

  test.each([
    ['a line break within', { BITBUCKET_TOKEN: 'dc-secret\n-1' }, /line break.*Nothing was sent/],
    ['no file', { BITBUCKET_TOKEN_FILE: '/nowhere/token' }, /cannot be read/],
    ['an expired token', { BITBUCKET_TOKEN: 'dc-secret-expired' }, /HTTP access token.*expired/],
    ['a token of Cloud', { BITBUCKET_TOKEN: 'ATATT-secret-1' }, /token of Bitbucket Cloud/],
    ['nothing', {}, /no credentials.*BITBUCKET_TOKEN/],
  ])('says what to do with %s', async (_, env, message) => {
    const { answer, shown } = await ask({ BITBUCKET_URL: bitbucket.url, ...env });
    expect(answer).toMatchObject({
      error: 'auth_required',
      message: expect.stringMatching(message),
    });
    expect(shown).not.toContain('secret');
  });

  test('names the context path when everything is missing', async () => {
    const env = { ...bitbucket.env, BITBUCKET_URL: new URL(bitbucket.url).origin };
    const { answer, health } = await ask(env);
    expect(answer).toMatchObject({
      error: 'not_found',
      message: expect.stringMatching(/context path such as \/bitbucket/),
      details: { url: expect.stringContaining('/rest/api/latest/repos'), status: 404 },
    });
    expect(health).toMatchObject({ edition: 'data-center' });
  });
});

describe('Cloud', () => {
  let bitbucket: Bitbucket;
  beforeAll(async () => {
    bitbucket = await startBitbucket('cloud');
    await bitbucket.add('web');
  });
  afterAll(() => bitbucket[Symbol.asyncDispose]());

  test('takes an API token with the e-mail of its owner, and an access token alone', async () => {
    const { url, known, env } = bitbucket;
    const { answer, shown, refused } = await ask(env);
    expect(answer).toHaveProperty('repositories.0');
    known.set('Bearer ATCTT-secret-1', null);
    const access = await ask({ BITBUCKET_URL: url, BITBUCKET_TOKEN: 'ATCTT-secret-1' });
    expect(access.answer).toHaveProperty('repositories.0');
    expect(shown + access.shown).not.toContain('secret');
    expect(refused).toEqual([]);
  });

  test('gets a token by OAuth once for many calls, and another when it is not accepted', async () => {
    const { url, known, ada } = bitbucket;
    const client = { id: 'consumer', secret: 'consumer-secret-1' };
    await using giver = await startTokenGiver(known, ada, client);
    const env = {
      BITBUCKET_URL: url,
      BITBUCKET_OAUTH_URL: giver.url,
      BITBUCKET_CLIENT_ID: client.id,
      BITBUCKET_CLIENT_SECRET: client.secret,
    };
    await using server = await startServer({ env });
    const calls = Array.from({ length: 10 }, () => server.call('list_repositories'));
    for (const answer of await Promise.all(calls)) expect(answer).toHaveProperty('repositories.0');
    expect(giver.given).toHaveLength(1);
    known.delete(`Bearer ${giver.given[0]}`);
    expect(await server.call('list_repositories')).toHaveProperty('repositories.0');
    expect(giver.given).toHaveLength(2);
    known.delete(`Bearer ${giver.given[1]}`);
    // The answer to one of them comes when the others have a new token already.
    const renewed = Promise.withResolvers<void>();
    const held = bitbucket.proxy.fault(
      { path: /repositories$/ },
      { kind: 'hold-after', until: renewed.promise },
    );
    const late = server.call('list_repositories');
    await held;
    expect(await server.call('list_repositories')).toHaveProperty('repositories.0');
    renewed.resolve();
    expect(await late).toHaveProperty('repositories.0');
    expect(giver.given).toHaveLength(3);
    const body = `{"error":{"message":"bad ${giver.given[2]}"}}`;
    void bitbucket.proxy.fault({ times: 2 }, { kind: 'answer', status: 401, body });
    const refused = await server.call('list_repositories');
    expect(refused).toMatchObject({ error: 'auth_required' });
    expect(JSON.stringify(refused)).not.toContain('secret-');
    const wrong = await ask({ ...env, BITBUCKET_CLIENT_SECRET: 'consumer-secret-2' });
    expect(wrong.answer).toMatchObject({
      error: 'auth_required',
      message: expect.stringContaining('BITBUCKET_CLIENT_SECRET'),
    });
    expect(wrong.shown + server.stderr()).not.toMatch(/secret-/);
  });

  test.each([
    [
      'an app password',
      { BITBUCKET_USERNAME: 'ada', BITBUCKET_PASSWORD: 'app-secret-1' },
      /App passwords .* no longer work/,
    ],
    ['an app password as token', { BITBUCKET_TOKEN: 'ATBB-secret-1' }, /App passwords/],
    ['an API token without e-mail', { BITBUCKET_TOKEN: 'ATATT-secret-1' }, /BITBUCKET_EMAIL/],
    [
      'an e-mail that does not fit',
      { BITBUCKET_TOKEN: secrets.cloud, BITBUCKET_EMAIL: 'x@example.org' },
      /e-mail and API token/,
    ],
    ['an access token that ended', { BITBUCKET_TOKEN: 'ATCTT-secret-9' }, /this access token/],
    ['nothing', {}, /no credentials for Bitbucket Cloud/],
  ])('says what to do with %s', async (_, env, message) => {
    const { answer, health, shown } = await ask({ BITBUCKET_URL: bitbucket.url, ...env });
    expect(answer).toMatchObject({
      error: 'auth_required',
      message: expect.stringMatching(message),
    });
    expect(health).toMatchObject({ edition: 'cloud' });
    expect(shown).not.toMatch(/secret-/);
  });
});
