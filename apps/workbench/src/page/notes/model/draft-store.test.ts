import { expect, test } from 'vitest';
import { DraftStore } from './draft-store.ts';

test('keeps a draft by vault and note, and removes only the given one', () => {
  const storage = memory();
  const store = new DraftStore(storage, () => '/vault');
  const draft = { text: 'mine', etag: 'e1' };
  expect(store.write('n.md', draft)).toBe(true);
  expect(new DraftStore(storage, () => '/vault').read('n.md')).toEqual(draft);
  expect(new DraftStore(storage, () => '/other').read('n.md')).toBeUndefined();
  // Another tab typed on meanwhile.
  new DraftStore(storage, () => '/vault').write('n.md', { text: 'theirs', etag: 'e1' });
  store.remove('n.md', draft);
  expect(store.read('n.md')?.text).toBe('theirs');
  store.remove('n.md', { text: 'theirs', etag: 'e1' });
  expect(store.read('n.md')).toBeUndefined();
});

test('reports a full storage, and ignores stored values that are not drafts', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(new DraftStore(full, () => '').write('n.md', { text: 'x', etag: '' })).toBe(false);
  for (const text of ['{', '3', '{"text":3,"etag":""}']) {
    const broken = { ...memory(), getItem: () => text };
    expect(new DraftStore(broken, () => '').read('n.md')).toBeUndefined();
  }
});

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}
