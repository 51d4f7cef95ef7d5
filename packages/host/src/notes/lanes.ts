/** Does work when its turn has come. */
export type Lanes = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets so much work be done at once; the rest waits, in the order it came. */
export function lanes(free: number): Lanes {
  const waiting: (() => void)[] = [];
  let left = free;
  return async (work) => {
    if (left > 0) left -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) left += 1;
      else next();
    }
  };
}
