import { test } from 'vitest';
import { callLogContract } from './call-log-contract.ts';
import { MemoryCallLog } from './memory-call-log.ts';

for (const [promise, holds] of Object.entries(callLogContract)) {
  test(`in memory: ${promise}`, () => holds(new MemoryCallLog()));
}
