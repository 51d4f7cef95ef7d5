import { ServiceError } from '@errand/server-kit';

const atOnce = 8;

/** Asks for each of many things, some at once, and leaves out what has gone since it was listed. */
export async function inParallel<T, R>(
  items: readonly T[],
  ask: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const found: (R | undefined)[] = [];
  const waiting = [...items.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      found[index] = await ask(item).catch((error: unknown) => {
        if (error instanceof ServiceError && error.kind === 'not_found') return undefined;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return found.filter((each) => each !== undefined);
}
