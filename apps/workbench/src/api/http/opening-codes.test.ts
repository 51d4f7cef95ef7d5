import { expect, test } from 'vitest';
import { OpeningCodes } from './opening-codes.ts';

const yes = async () => true;
const no = async () => false;

test('accepts a code once, also when it is presented twice at the same time', async () => {
  const codes = new OpeningCodes();
  const code = codes.create({ isSeenByOthers: true });
  const brought = await Promise.all([1, 2, 3].map(() => codes.redeem(code, yes)));
  expect(brought.filter(Boolean)).toHaveLength(1);
  expect(await codes.redeem('', yes)).toBe(false);
});

test('refuses a code to other users, and keeps it valid for its owner', async () => {
  const codes = new OpeningCodes();
  const code = codes.create({ isSeenByOthers: true });
  expect(await codes.redeem(code, no)).toBe(false);
  expect(await codes.redeem(code, yes)).toBe(true);
});

test('expires a code at its time, and old ones when there are too many', async () => {
  let now = 0;
  const codes = new OpeningCodes(() => now);
  const short = codes.create({ expiresAfterMs: 1000 });
  const long = codes.create();
  now = 1001;
  expect(await codes.redeem(short, yes)).toBe(false);
  for (let made = 0; made < 99; made += 1) codes.create();
  const last = codes.create();
  expect(await codes.redeem(long, yes)).toBe(false);
  expect(await codes.redeem(last, yes)).toBe(true);
});
