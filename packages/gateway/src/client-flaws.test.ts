import { expect, test } from 'vitest';
import { findClientFlaws } from './testing/find-client-flaws.ts';

test('no message of a client harms the gateway, and each is answered as it must be', async () => {
  expect(await findClientFlaws(1, 3_000)).toEqual([]);
}, 60_000);
