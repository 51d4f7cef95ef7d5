import { expect, test } from 'vitest';
import { collectPages, type PagePosition } from './collect-pages.ts';

const numbers = Array.from({ length: 25 }, (_, index) => index);

/** A service that gives tokens for its pages. */
const byToken = async (position: PagePosition | undefined) => {
  const start = position !== undefined && 'token' in position ? Number(position.token.slice(1)) : 0;
  const end = start + 7;
  return { items: numbers.slice(start, end), next: end < 25 ? { token: `p${end}` } : undefined };
};

/** A service that counts items, and gives at most ten. */
const byStart = async (position: PagePosition | undefined, wanted: number) => {
  const start = position !== undefined && 'start' in position ? position.start : 0;
  const end = start + Math.min(wanted, 10);
  return { items: numbers.slice(start, end), next: end < 25 ? { start: end } : undefined };
};

test.each([
  ['tokens', byToken],
  ['numbers of items', byStart],
])('collects everything once by %s, whatever the limit', async (_kind, fetchPage) => {
  for (const limit of [1, 3, 7, 8, 24, 25, 100]) {
    const collected: number[] = [];
    let cursor: string | undefined;
    do {
      const answer = await collectPages<number>({ fetchPage, limit, cursor, query: { q: 'x' } });
      expect(answer.items.length).toBeLessThanOrEqual(limit);
      collected.push(...answer.items);
      cursor = answer.nextCursor;
    } while (cursor !== undefined);
    expect(collected).toEqual(numbers);
  }
});

test('answers with fewer items and a cursor when pages are nearly empty', async () => {
  let asked = 0;
  const fetchPage = async () => {
    asked += 1;
    return { items: [], next: { token: `${asked}` } };
  };
  const answer = await collectPages({ fetchPage, limit: 10, query: {}, maxPages: 3 });
  expect(answer).toEqual({ items: [], nextCursor: expect.any(String) });
  expect(asked).toBe(3);
});

test('refuses a cursor of another question, and one that was made up', async () => {
  const ask = (query: unknown, cursor?: string) =>
    collectPages<number>({ fetchPage: byToken, limit: 5, query, cursor });
  const { nextCursor = '' } = await ask({ a: 1, b: 2 });
  expect((await ask({ b: 2, a: 1 }, nextCursor)).items).toEqual([5, 6, 7, 8, 9]);
  const madeUp = Buffer.from('[1,"x",-1,{}]').toString('base64url');
  for (const cursor of ['', 'nonsense', madeUp]) {
    await expect(ask({ a: 1, b: 2 }, cursor)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  await expect(ask({ a: 2 }, nextCursor)).rejects.toMatchObject({ code: 'invalid_input' });
});
