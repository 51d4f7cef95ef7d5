/** Throws when something is asked of an object of the API that it does not have here. */
export function strict<Thing extends object>(name: string, thing: Thing): Thing {
  return new Proxy(thing, {
    get(target, key) {
      if (typeof key === 'string' && !(key in target) && !asked.has(key)) {
        throw new Error(`HARNESS: ${name}.${key} is not part of the shim.`);
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' && !isClass(value) ? value.bind(target) : value;
    },
  });
}

/** What the language itself looks for on any object. */
const asked = new Set(['then', 'toJSON', 'default', '__esModule']);

function isClass(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;
}
