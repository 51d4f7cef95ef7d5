import { localServer, memoryHost, request } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { SchemaWorker } from './schema-worker.ts';

const zones = Array.from({ length: 5_000 }, (_, index) => `Region/City number ${index}`);

test.each<[what: string, items: object, list: () => unknown[], found: RegExp]>([
  [
    '100,000 wrong values of a large enum',
    { items: { enum: zones } },
    () => Array(100_000).fill('Atlantis'),
    /^Parameter "list\.0": expected one of "Region\/City number 0", .* and 4970 more, got "Atlantis"\.$/,
  ],
  [
    'the wrong type 100,000 times',
    { items: { type: 'integer' } },
    () => Array(100_000).fill('x'),
    /^Parameter "list\.0": expected integer, got "x"\.$/,
  ],
])('says what is wrong with %s', async (_what, items, list, found) => {
  await using worker = new SchemaWorker(30_000);
  await using fixture = await hostWithList(items, worker);
  const pauses = watchPauses();
  expect(await fixture.call(list())).toMatchObject({
    status: 'error',
    error: { code: 'invalid_params', message: expect.stringMatching(found) },
  });
  expect(pauses.longest()).toBeLessThan(5_000);
});

test.each<[what: string, items: object, list: () => unknown[]]>([
  ['60,000 unique numbers', { uniqueItems: true }, () => numbers(60_000)],
  [
    '60,000 unique objects',
    { uniqueItems: true },
    () => numbers(60_000).map((number) => ({ number })),
  ],
  [
    '200,000 values of a large enum',
    { items: { enum: zones } },
    () => Array(200_000).fill(zones[4_999]),
  ],
])('leaves %s to the server when checking takes too long', async (_what, items, list) => {
  await using worker = new SchemaWorker(100);
  await using fixture = await hostWithList(items, worker);
  const pauses = watchPauses();
  expect(await fixture.call(list())).toMatchObject({ status: 'success' });
  expect(pauses.longest()).toBeLessThan(5_000);
  expect(fixture.notices).toMatchObject([
    { message: 'Parameters of a/echo are too large to be checked here' },
  ]);
  // The next call is checked again.
  expect(await fixture.call('no list')).toMatchObject({
    error: { message: 'Parameter "list": expected array, got "no list".' },
  });
});

test('tells the choices of a large enum once, however often they were not met', async () => {
  await using worker = new SchemaWorker(60_000);
  const anyOf = Array.from({ length: 100 }, () => ({ enum: zones }));
  await using fixture = await hostWithList({ items: { anyOf } }, worker);
  const list = Array(50).fill('Atlantis');
  expect(await fixture.call(list)).toMatchObject({
    error: {
      code: 'invalid_params',
      message: expect.stringMatching(/ 4970 more, got "Atlantis"\.$/),
    },
  });
});

test('blames parameters that are nested too deep, not the schema', async () => {
  await using worker = new SchemaWorker(10_000);
  await using fixture = await hostWithList({}, worker);
  let deep: unknown[] = [];
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  expect(await fixture.call(deep)).toMatchObject({
    status: 'error',
    error: {
      code: 'invalid_params',
      message: 'The parameters are nested more than 500 levels deep. Pass a flatter value.',
    },
  });
});

async function hostWithList(rules: object, guard: SchemaWorker) {
  const fixture = await memoryHost([localServer('a')], {}, { guard });
  const inputSchema = { type: 'object', properties: { list: { type: 'array', ...rules } } };
  fixture.connector.behaviours.set('a', { tools: [{ name: 'echo', inputSchema }] });
  const call = (list: unknown) => fixture.host.execute(request({ parameters: { list } }));
  return { ...fixture, call };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** How long the program was held up: the longest time between two ticks. */
function watchPauses() {
  let last = performance.now();
  let longest = 0;
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(tick, 5);
  return {
    longest() {
      tick();
      clearInterval(timer);
      return longest;
    },
  };
}
