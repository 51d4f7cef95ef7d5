import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { openPullRequest } from '../../servers/bitbucket/src/testing/double/change-world.ts';
import { startBitbucket } from '../../servers/bitbucket/src/testing/start-bitbucket.ts';
import { TestVault } from './errand-process.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/bitbucket.md'), 'utf8');
const main = fileURLToPath(new URL('../../servers/bitbucket/src/main.ts', import.meta.url));

const [, section = ''] = guide.split(/^## Recipes$/m);
const recipes = new Map(
  section
    .split(/^### /m)
    .slice(1)
    .map((text) => [
      text.split('\n')[0] ?? '',
      {
        note: /^````markdown\n(.*?)^````/ms.exec(text)?.[1],
        hook: /^```json\n(.*?)^```/ms.exec(text)?.[1],
      },
    ]),
);

/** A Bitbucket with what the recipes name, and a vault whose server works for Ada. */
async function open() {
  const bitbucket = await startBitbucket('data-center');
  const { world, ada, grace } = bitbucket;
  const web = await bitbucket.add('web');
  const first = await web.git.commit('main', 'First', { 'src/greet.ts': 'export const a = 1;\n' });
  await web.git.createBranches(['v1'], first);
  const requestOf = async (branch: string, title: string, author: typeof ada) => {
    const text = `export const a = 1;\nexport const b = '${branch}';\n`;
    await web.git.commit(branch, title, { 'src/greet.ts': text }, { from: 'main' });
    return await openPullRequest(world, web, {
      author,
      title,
      from: { repository: web, branch },
      target: 'main',
      reviewers: author === ada ? [grace] : [ada],
    });
  };
  const request = await requestOf('greet', 'Greet people', grace);
  const own = await requestOf('own', 'My own work', ada);
  const vault = TestVault.trusted({
    servers: [
      scriptedServerConfig(
        {},
        {
          name: 'bitbucket',
          localConfig: { command: process.execPath, args: [main], env: { ...bitbucket.env } },
        },
      ),
    ],
  });
  return {
    bitbucket,
    vault,
    web,
    request,
    own,
    async [Symbol.asyncDispose]() {
      vault[Symbol.dispose]();
      await bitbucket[Symbol.asyncDispose]();
    },
  };
}

test('the recipes of the guide for notes do what they say', { timeout: 180_000 }, async () => {
  await using setting = await open();
  const { vault, request, own, web } = setting;
  const run = async (title: string) => {
    const note = recipes.get(title)?.note;
    if (note === undefined) throw new Error(`There is no recipe ${title}.`);
    writeFileSync(vault.path('Note.md'), note);
    const ended = await vault.errand('run', 'Note.md');
    const text = vault.read('Note.md');
    expect({ title, ...ended }).toMatchObject({ code: 0 });
    expect(text).not.toContain('mcp-error');
    return text;
  };
  const review = await run('Review a pull request from a note');
  expect(review).toContain('"title": "Greet people"');
  expect(review).toContain("+export const b = 'greet';");
  expect(request.comments).toMatchObject([
    { text: 'Should this not be polite?', anchor: { path: 'src/greet.ts', line: 2 } },
  ]);
  expect(request.reviewers).toMatchObject([{ status: 'NEEDS_WORK' }]);

  const standup = await run('A standup note from my inbox');
  const [waiting = '', mine = ''] = standup.split('## Mine');
  expect(waiting).toContain('Greet people');
  expect(waiting).not.toContain('My own work');
  expect(mine).toContain('My own work');

  own.state = 'MERGED';
  own.mergeCommit = (await web.git.merge('main', 'own', 'Merge my own work')) ?? '';
  const release = await run('A release note from merged pull requests');
  expect(release).toContain('"title": "My own work"');
  expect(release).toContain('Merge my own work');
  expect(release).not.toContain('Greet people');
});

test('the hook of the guide comments on a pull request, once', { timeout: 180_000 }, async () => {
  await using setting = await open();
  const { vault, request } = setting;
  writeFileSync(
    vault.path('hook.json'),
    recipes.get('Comment on a pull request when a build reports')?.hook ?? '',
  );
  expect(await vault.errand('hooks', 'add', '--from', 'hook.json')).toMatchObject({ code: 0 });
  expect((await vault.errand('trust', '--yes')).code).toBe(0);
  using up = vault.start('up', '--json');
  await up.says(/"event":"ready"/);
  const { json } = await vault.json('hooks', 'show', 'Build comments');
  const { endpoint } = json as { endpoint: { url: string; token: string } };
  const report = () =>
    fetch(endpoint.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${endpoint.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'build 7',
      },
      body: JSON.stringify({ repository: 'ACME/web', pull_request: 1, result: 'green' }),
    });
  expect([(await report()).status, (await report()).status]).toEqual([202, 202]);
  await up.says(/"hook":"Build comments"[^\n]*"status":"success"/);
  expect(request.comments.map(({ text }) => text)).toEqual(['The build is green.']);
  up.child.kill('SIGTERM');
  expect((await up.ended).code).toBe(0);
});
