import assert from 'node:assert/strict';
import type { TrustStore } from '../trust-store.ts';

/** What every trust store promises; each case begins with an empty store. */
export const trustStoreContract: Readonly<Record<string, (store: TrustStore) => Promise<void>>> = {
  'remembers nothing at first': async (store) => {
    assert.deepEqual(await store.load(), new Map());
  },

  'gives back what was saved': async (store) => {
    const record = new Map([['a', { fingerprint: '1' }]]);
    assert.deepEqual(await store.save(() => record), record);
    assert.deepEqual(await store.load(), record);
  },

  'loses none of several changes made at once': async (store) => {
    const ids = ['a', 'b', 'c', 'd'];
    const add = (id: string) =>
      store.save((current) => new Map([...current, [id, { fingerprint: id }]]));
    await Promise.all(ids.map(add));
    assert.deepEqual([...(await store.load()).keys()].sort(), ids);
  },

  'tells when it changed': async (store) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = store.watch(resolve);
    await store.save(() => new Map([['a', { fingerprint: '1' }]]));
    await promise;
    stop();
  },
};
