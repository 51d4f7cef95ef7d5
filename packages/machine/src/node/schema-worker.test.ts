import { localServer, memoryHost, request } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { SchemaWorker } from './schema-worker.ts';

const catastrophic = {
  type: 'object',
  properties: { text: { type: 'string', pattern: '^(a+)+$' }, n: { type: 'integer' } },
};
const hostile = { text: `${'a'.repeat(60)}!` };

test('checks patterns and formats, and says what is wrong with which parameter', async () => {
  await using worker = new SchemaWorker(10_000);
  expect(await worker.check(catastrophic, { text: 'aaa' })).toEqual([]);
  expect(await worker.check(catastrophic, { text: 'b' })).toEqual([
    { kind: 'invalid', path: 'text', expected: 'text that matches ^(a+)+$', actual: '"b"' },
  ]);
});

test('gives up a check that takes too long and is ready for the next', async () => {
  await using worker = new SchemaWorker(1_000);
  const checks = [
    worker.check(catastrophic, hostile),
    worker.check(catastrophic, { text: 'aaa' }),
    worker.check(catastrophic, hostile),
    worker.check(catastrophic, { text: 'b' }),
  ];
  expect((await Promise.all(checks)).map((problems) => problems?.length)).toEqual([
    undefined,
    0,
    undefined,
    1,
  ]);
});

test('gives up a schema that multiplies itself by references', async () => {
  await using worker = new SchemaWorker();
  const $defs: Record<string, unknown> = { d0: { type: 'string' } };
  for (let i = 1; i <= 40; i += 1) {
    $defs[`d${i}`] = { allOf: Array(2).fill({ $ref: `#/$defs/d${i - 1}` }) };
  }
  const bomb = { properties: { text: { $ref: '#/$defs/d40' } }, $defs };
  expect(await worker.check(bomb, { text: 'x' })).toBeUndefined();
});

test('says that a schema is broken', async () => {
  await using worker = new SchemaWorker(10_000);
  await expect(worker.check({ properties: { a: { pattern: '(' } } }, { a: 'x' })).rejects.toThrow();
});

test('a tool with a hostile pattern is called with the rest of its schema checked, and that is said', async () => {
  await using worker = new SchemaWorker();
  await using fixture = await memoryHost([localServer('a')], {}, { guard: worker });
  const tools = [{ name: 'echo', inputSchema: catastrophic }];
  fixture.connector.behaviours.set('a', { tools });
  expect(await fixture.host.execute(request({ parameters: hostile }))).toMatchObject({
    status: 'success',
  });
  expect(fixture.notices).toMatchObject([
    { message: 'Parameters of a/echo are checked without patterns, formats and references' },
  ]);
  const wrong = { ...hostile, n: 'x' };
  expect(await fixture.host.execute(request({ parameters: wrong }))).toMatchObject({
    error: { code: 'invalid_params', message: 'Parameter "n": expected integer, got "x".' },
  });
  expect(fixture.notices).toHaveLength(1);
});

test('without a guard such a schema is checked without the risky parts, and that is said', async () => {
  await using fixture = await memoryHost([localServer('a')]);
  fixture.connector.behaviours.set('a', { tools: [{ name: 'echo', inputSchema: catastrophic }] });
  const wrong = { ...hostile, n: 'x' };
  expect(await fixture.host.execute(request({ parameters: hostile }))).toMatchObject({
    status: 'success',
  });
  expect(await fixture.host.execute(request({ parameters: wrong }))).toMatchObject({
    error: { code: 'invalid_params' },
  });
  expect(fixture.notices).toHaveLength(1);
});

test('a tool that refers to a schema elsewhere is called with the rest of its schema checked, and that is said', async () => {
  await using worker = new SchemaWorker(10_000);
  await using fixture = await memoryHost([localServer('a')], {}, { guard: worker });
  const inputSchema = {
    type: 'object',
    properties: { place: { $ref: 'https://example.com/place.json' }, day: { $ref: '#/$defs/day' } },
    $defs: { day: { type: 'string', pattern: '^[A-Z]' } },
  };
  fixture.connector.behaviours.set('a', { tools: [{ name: 'echo', inputSchema }] });
  const call = (parameters: Record<string, unknown>) =>
    fixture.host.execute(request({ parameters }));
  expect(await call({ place: 'Rome', day: 'Monday' })).toMatchObject({ status: 'success' });
  expect(await call({ place: 'Rome', day: 'monday' })).toMatchObject({
    error: { code: 'invalid_params', message: expect.stringContaining('Parameter "day"') },
  });
  expect(fixture.notices).toMatchObject([
    { message: 'Parameters of a/echo are checked without references to schemas elsewhere' },
  ]);
});

test('a tool that refers to nothing inside its schema is broken, whatever it refers to elsewhere', async () => {
  await using worker = new SchemaWorker(10_000);
  await using fixture = await memoryHost([localServer('a')], {}, { guard: worker });
  const properties = { a: { $ref: '#nowhere' }, b: { $ref: 'https://example.com/b.json' } };
  fixture.connector.behaviours.set('a', { tools: [{ name: 'echo', inputSchema: { properties } }] });
  expect(await fixture.host.execute(request({ parameters: { a: 1, b: 2 } }))).toMatchObject({
    error: { code: 'invalid_params', message: expect.stringContaining('schema is broken') },
  });
});
