import assert from 'node:assert/strict';
import type { SecretStore } from '../secret-store.ts';

/** What every secret store promises; each case begins with an empty store. */
export const secretStoreContract: Readonly<Record<string, (store: SecretStore) => Promise<void>>> =
  {
    'has nothing at first': async (store) => {
      assert.equal(await store.get('none'), undefined);
      assert.deepEqual(await store.names(), []);
    },

    'gives back what was set, to the letter': async (store) => {
      for (const value of ['plain', ' two\nlines \u{1F511} ', '{"json":true}', 'x'.repeat(1000)]) {
        await store.set('token', value);
        assert.equal(await store.get('token'), value);
      }
    },

    'replaces and removes': async (store) => {
      await store.set('token', 'old');
      await store.set('token', 'new');
      assert.equal(await store.get('token'), 'new');
      await store.set('token', undefined);
      assert.equal(await store.get('token'), undefined);
      assert.deepEqual(await store.names(), []);
    },

    'does not mind removing what is not there': async (store) => {
      await store.set('never', undefined);
      assert.deepEqual(await store.names(), []);
    },

    'lists the names in order and no values': async (store) => {
      await store.set('b', 'hidden');
      await store.set('a-1_x.y', 'hidden');
      await store.set('__proto__', 'hidden');
      assert.deepEqual(await store.names(), ['__proto__', 'a-1_x.y', 'b']);
      assert.equal(await store.get('__proto__'), 'hidden');
      assert.equal(await store.get('constructor'), undefined);
    },

    'keeps names apart that are set at once': async (store) => {
      const names = Array.from({ length: 8 }, (_, number) => `name-${number}`);
      await Promise.all(names.map((name) => store.set(name, `value of ${name}`)));
      assert.deepEqual(await store.names(), names);
      assert.equal(await store.get('name-3'), 'value of name-3');
    },
  };
