/** `Promise.withResolvers`, which Node has from version 22 on. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: PromiseWithResolvers<T>['resolve'] = () => {};
  let reject: PromiseWithResolvers<T>['reject'] = () => {};
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

/** `Map.groupBy`, which Node has from version 21 on. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, at: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let at = 0;
  for (const item of items) {
    const key = keyOf(item, at);
    groups.set(key, [...(groups.get(key) ?? []), item]);
    at += 1;
  }
  return groups;
}
