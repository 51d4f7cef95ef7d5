import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Before each file of tests with an editor: the first run of all installs it while other tests run.
const { ERRAND_TEST_CODE_SERVER: program = '', ERRAND_TEST_CODE_SERVER_FAILURE: failure = '' } =
  process.env;
const late = AbortSignal.timeout(15 * 60_000);
while (!existsSync(program)) {
  if (existsSync(failure)) throw new Error(readFileSync(failure, 'utf8'));
  await sleep(200, undefined, { signal: late });
}
