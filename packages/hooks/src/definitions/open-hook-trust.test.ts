import type { LaunchFile, LaunchFiles } from '@errand/host';
import { createMemoryTrustStore } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { openHookTrust } from './open-hook-trust.ts';

const hook = (more: object = {}): Hook =>
  hookSchema.parse({
    id: 'a',
    name: 'First',
    trigger: { kind: 'file', events: ['created'], glob: '*.md' },
    actions: [{ type: 'custom', parameters: { command: './run.sh', args: ['Today.md'] } }],
    ...more,
  });

test('a hook that came with the vault is not trusted until somebody agrees', async () => {
  const store = createMemoryTrustStore();
  const trust = await openHookTrust(store);
  expect(trust.verdict(hook())).toBe('untrusted');
  await trust.agree([hook()]);
  expect(trust.verdict(hook())).toBe('trusted');
  expect((await openHookTrust(store)).verdict(hook())).toBe('trusted');
  await trust.revoke([hook()]);
  expect(trust.verdict(hook())).toBe('untrusted');
});

test.each<[string, object, string]>([
  ['another action', { actions: [{ type: 'custom', parameters: { command: 'rm' } }] }, 'changed'],
  ['another trigger', { trigger: { kind: 'manual' } }, 'changed'],
  ['fewer conditions', { conditions: [{ field: 'branch', equals: 'x' }] }, 'changed'],
  ['more runs', { runsPerHour: 1000 }, 'changed'],
  ['another mode', { mode: 'parallel', max: 9 }, 'changed'],
  ['another name', { name: 'Other' }, 'trusted'],
  ['being switched off', { enabled: false }, 'trusted'],
  ['being touched', { modifiedAt: 9 }, 'trusted'],
  ['another id', { id: 'b' }, 'untrusted'],
])('after %s it is asked about or not', async (_, change, verdict) => {
  const trust = await openHookTrust(createMemoryTrustStore());
  await trust.agree([hook()]);
  expect(trust.verdict(hook(change))).toBe(verdict);
});

test('an agreement that another program stores counts at once', async () => {
  const store = createMemoryTrustStore();
  const [one, other] = [await openHookTrust(store), await openHookTrust(store)];
  await one.agree([hook()]);
  await expect.poll(() => other.verdict(hook())).toBe('trusted');
});

test('a hook asks again when a program of the vault that it runs was changed, but not a note', async () => {
  let program = 'one';
  let note = 'one';
  const trust = await openHookTrust(createMemoryTrustStore(), {
    launchFiles: {
      of: ({ localConfig }) => [
        { path: `${localConfig?.command}`, identity: program },
        { path: `${localConfig?.args?.[0]}`, identity: note },
      ],
    },
  });
  await trust.agree([hook()]);
  note = 'two';
  expect(trust.verdict(hook())).toBe('trusted');
  program = 'two';
  expect(trust.verdict(hook())).toBe('changed');
});

test('a hook does not ask again for a file that its command line writes', async () => {
  const parameters = { command: 'sh', args: ['-c', 'date > ./stamp.json'] };
  const writing = hook({ actions: [{ type: 'custom', parameters }] });
  const named: (readonly string[] | undefined)[] = [];
  const of: LaunchFiles['of'] = ({ localConfig }) => {
    named.push(localConfig?.args);
    return [];
  };
  const trust = await openHookTrust(createMemoryTrustStore(), { launchFiles: { of } });
  await trust.agree([writing]);
  expect(trust.verdict(writing)).toBe('trusted');
  expect(named.flat().join(' ')).not.toContain('stamp');
  const other = { ...parameters, args: ['-c', 'date > ./other.json'] };
  expect(trust.verdict(hook({ actions: [{ type: 'custom', parameters: other }] }))).toBe('changed');
});

test('a file that a program of the hook made is its own, until somebody else changes it', async () => {
  const files = new Map([['make.js', 'one']]);
  const of: LaunchFiles['of'] = () => [...files].map(([path, identity]) => ({ path, identity }));
  const store = createMemoryTrustStore();
  const trust = await openHookTrust(store, { launchFiles: { of } });
  const making = hook();
  await trust.agree([making]);
  for (const content of ['first', 'second']) {
    await using _action = trust.beginAction(making);
    files.set('out.json', content);
    expect(trust.verdict(making)).toBe('trusted');
  }
  expect(trust.verdict(making)).toBe('trusted');
  expect((await openHookTrust(store, { launchFiles: { of } })).verdict(making)).toBe('trusted');

  files.set('out.json', 'from elsewhere');
  expect(trust.verdict(making)).toBe('changed');
  await trust.agree([making]);
  {
    await using _action = trust.beginAction(making);
    files.set('out.json', 'third');
  }
  expect(trust.verdict(making)).toBe('trusted');
  {
    await using _action = trust.beginAction(making);
    files.set('make.js', 'two');
    expect(trust.verdict(making)).toBe('changed');
  }
  expect(trust.verdict(making)).toBe('changed');
});

test('a file that was missing when somebody agreed, and that came from elsewhere, asks again', async () => {
  let files: readonly LaunchFile[] = [{ path: 'later.py', identity: 'missing' }];
  const trust = await openHookTrust(createMemoryTrustStore(), { launchFiles: { of: () => files } });
  await trust.agree([hook()]);
  expect(trust.verdict(hook())).toBe('trusted');
  files = [{ path: 'later.py', identity: 'planted' }];
  expect(trust.verdict(hook())).toBe('changed');
  {
    await using _action = trust.beginAction(hook());
  }
  expect(trust.verdict(hook())).toBe('changed');
});

test('a hook cannot take the agreement of a server with the same id', async () => {
  const store = createMemoryTrustStore();
  await store.save(() => new Map([['a', { fingerprint: 'x' }]]));
  expect((await openHookTrust(store)).verdict(hook())).toBe('untrusted');
});

test('trusts everything when told to', async () => {
  const trust = await openHookTrust(createMemoryTrustStore(), { trustAll: true });
  expect(trust.verdict(hook())).toBe('trusted');
});
