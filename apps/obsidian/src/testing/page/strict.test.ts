import { expect, test } from 'vitest';
import { strict } from './strict.ts';

class Vault {
  readonly #name = 'mine';

  getName(): string {
    return this.#name;
  }
}

test('throws when the plugin uses a member that the stand-in lacks', () => {
  const vault = strict('Vault', new Vault());
  expect(vault.getName()).toBe('mine');
  expect(() => Reflect.get(vault, 'trash')).toThrow('Vault.trash is not part of the shim');
});

test('hands out classes that can be extended', () => {
  const api = strict('obsidian', { Vault });
  class Own extends api.Vault {}
  expect(new Own().getName()).toBe('mine');
});
