/** How items are run in order. */
interface OrderedWork<Item, Result> {
  /** Whether an item changes nothing; what is not known yet holds the items after it. */
  readonly onlyReads: (item: Item) => Promise<boolean>;
  /** Whether an item needs what those before it bring about, although it changes nothing. */
  readonly needsAllAbove?: (item: Item) => boolean;
  /** Runs an item; it must not change anything before `turn` resolves. */
  readonly run: (item: Item, turn: Promise<unknown>) => Promise<Result>;
}

/**
 * Runs items so that each one that may change something gets its turn after all before it, and the items
 * after it get theirs when it has ended. Items between two such get theirs together. The cost is linear.
 */
export function runInOrder<Item, Result>(
  items: readonly Item[],
  { onlyReads, needsAllAbove, run }: OrderedWork<Item, Result>,
): Promise<PromiseSettledResult<Result>[]> {
  let allAbove: Promise<unknown> = Promise.resolve();
  let lastChange = allAbove;
  const ends = items.map((item) => {
    const before = { all: allAbove, change: lastChange };
    const isReader = onlyReads(item);
    const end = run(
      item,
      isReader.then((reads) =>
        reads && needsAllAbove?.(item) !== true ? before.change : before.all,
      ),
    );
    // An item can end before its turn when it is cancelled; those after it still wait for those before it.
    const upToThis = Promise.allSettled([before.all, end]);
    allAbove = upToThis;
    lastChange = isReader.then((reads) => (reads ? before.change : upToThis));
    return end;
  });
  return Promise.allSettled(ends);
}
