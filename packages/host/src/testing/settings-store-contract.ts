import assert from 'node:assert/strict';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import { exampleServer } from './example-server.ts';

/** A store under test and the hands of another writer on the same settings. */
interface SettingsStoreUnderTest {
  readonly store: SettingsStore;
  write(text: string): Promise<void> | void;
  /** Takes the file away. */
  remove(): Promise<void> | void;
  text(): Promise<string | undefined> | string | undefined;
}

/** What every settings store promises; each case begins with a store that holds nothing yet. */
export const settingsStoreContract: Readonly<
  Record<string, (subject: SettingsStoreUnderTest) => Promise<void>>
> = {
  'gives the defaults when nothing is stored': async ({ store }) => {
    const settings = await store.load();
    assert.deepEqual(settings.mcpServers, []);
    assert.equal(settings.mcpGlobalTimeout, 30_000);
    assert.deepEqual(settings.problems, []);
  },

  'gives back what was saved': async ({ store }) => {
    const saved = await store.save(adding(exampleServer));
    assert.deepEqual(saved.mcpServers, [exampleServer]);
    assert.deepEqual((await store.load()).mcpServers, [exampleServer]);
  },

  'applies a change to what another writer stored meanwhile': async ({ store, write, text }) => {
    await store.save(adding(exampleServer));
    await write(String(await text()).replace('"version": 1', '"version": 1, "mcpSessionLimit": 7'));
    const saved = await store.save(removing(exampleServer.id));
    assert.equal(saved.mcpSessionLimit, 7);
    assert.deepEqual(saved.mcpServers, []);
  },

  'loses none of many changes asked for at once': async ({ store }) => {
    const names = Array.from({ length: 10 }, (_, number) => `server-${number}`);
    await Promise.all(
      names.map((name) => store.save(adding({ ...exampleServer, id: name, name }))),
    );
    const { mcpServers } = await store.load();
    assert.deepEqual(mcpServers.map(({ name }) => name).sort(), names);
  },

  'keeps unknown keys and broken entries when it saves': async ({ store, write, text }) => {
    await write('{ "colour": "blue", "mcpServers": [{ "name": "not legal!" }] }');
    await store.save(adding(exampleServer));
    assert.match(String(await text()), /"colour": "blue"/);
    assert.match(String(await text()), /not legal!/);
  },

  'refuses a change that breaks an entry and stores nothing of it': async ({ store, text }) => {
    await store.save(adding(exampleServer));
    const before = await text();
    await assert.rejects(store.save(adding({ ...exampleServer, id: 'other' })), isInvalid);
    assert.equal(await text(), before);
  },

  'stores nothing when the change itself fails': async ({ store, text }) => {
    await store.save(adding(exampleServer));
    const before = await text();
    const failing = () => {
      throw new Error('on purpose');
    };
    await assert.rejects(store.save(failing), /on purpose/);
    assert.equal(await text(), before);
  },

  'leaves broken settings as they are': async ({ store, write, text }) => {
    const broken = '{ "version": 1,';
    await write(broken);
    await assert.rejects(store.load(), isInvalid);
    await assert.rejects(store.save(adding(exampleServer)), isInvalid);
    assert.equal(await text(), broken);
  },

  'goes on with what it has read while the file is gone': async ({
    store,
    write,
    remove,
    text,
  }) => {
    await store.save(adding(exampleServer));
    const before = String(await text());
    let changes = 0;
    const stop = store.watch(() => {
      changes += 1;
    });
    await remove();
    assert.deepEqual((await store.load()).mcpServers, [exampleServer]);
    await write(before);
    assert.deepEqual((await store.load()).mcpServers, [exampleServer]);
    stop();
    assert.equal(changes, 0);
  },

  'brings a file back that is gone when something is changed': async (subject) => {
    const { store, remove, text } = subject;
    await store.save(adding(exampleServer));
    await remove();
    await store.save((current) => ({ ...current, mcpSessionLimit: 7 }));
    assert.match(String(await text()), new RegExp(`"name": *"${exampleServer.name}"`));
    assert.match(String(await text()), /"mcpSessionLimit": *7/);
  },

  'begins with nothing when a file that could not be read is taken away': async (subject) => {
    const { store, write, remove } = subject;
    await write('{ "version": 1,');
    await assert.rejects(store.load(), isInvalid);
    await remove();
    assert.deepEqual((await store.load()).mcpServers, []);
  },

  'tells of a change that was read before it was noticed': async ({ store, write }) => {
    await store.load();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = store.watch(resolve);
    await write('{ "mcpSessionLimit": 7 }');
    await store.load();
    await promise;
    stop();
  },

  'tells of another writer, not of itself': async ({ store, write }) => {
    await store.load();
    const { promise, resolve } = Promise.withResolvers<void>();
    let changes = 0;
    const stop = store.watch(() => {
      changes += 1;
      resolve();
    });
    await store.save(adding(exampleServer));
    await write('{ "mcpSessionLimit": 7 }');
    await promise;
    stop();
    assert.equal(changes, 1);
    assert.equal((await store.load()).mcpSessionLimit, 7);
  },
};

function adding(server: ServerConfig): Parameters<SettingsStore['save']>[0] {
  return (current) => ({ ...current, mcpServers: [...current.mcpServers, server] });
}

function removing(id: string): Parameters<SettingsStore['save']>[0] {
  return (current) => ({
    ...current,
    mcpServers: current.mcpServers.filter((server) => server.id !== id),
  });
}

function isInvalid(error: unknown): boolean {
  return error instanceof HostError && error.code === 'settings_invalid';
}
