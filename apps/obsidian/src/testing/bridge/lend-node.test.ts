import { expect, test } from 'vitest';
import { lendNode, type Page } from './lend-node.ts';
import type { Answer, Message, Wire } from './wire.ts';

const text = (v: string): Wire => ({ t: 'value', v });
const list = (...v: readonly Wire[]): Wire => ({ t: 'list', v });
const none: Wire = { t: 'undefined' };
const noPage: Page = { send: () => {}, call: () => ({ ok: true, value: none }) };

/** The number under which a module lends one of its functions. */
function lentFunction(ask: ReturnType<typeof lendNode>, module: string, name: string): number {
  const { value } = ask({ op: 'require', name: module });
  const entry = value.t === 'record' ? value.v.find(([key]) => key === name)?.[1] : undefined;
  if (entry?.t !== 'mine') throw new Error(`${module} lends no ${name}.`);
  return entry.id;
}

test('answers a query synchronously', () => {
  const ask = lendNode(noPage);
  const id = lentFunction(ask, 'node:path', 'join');
  const answer = ask({ op: 'apply', id, self: none, args: list(text('a'), text('b')) });
  expect(answer).toEqual({ ok: true, value: text('a/b') });
});

test('hands over an error with its code', () => {
  const ask = lendNode(noPage);
  const id = lentFunction(ask, 'node:fs', 'readFileSync');
  const { ok, value } = ask({ op: 'apply', id, self: none, args: list(text('/nowhere')) });
  expect(ok).toBe(false);
  expect(value.t === 'error' && Object.fromEntries(value.v).code).toEqual(text('ENOENT'));
});

test('reports the outcome of a promise', async () => {
  const { promise, resolve } = Promise.withResolvers<Message>();
  const ask = lendNode({ ...noPage, send: resolve });
  const id = lentFunction(ask, 'node:fs/promises', 'access');
  ask({ op: 'apply', id, self: none, args: list(text('/')) });
  expect(await promise).toMatchObject({ kind: 'settled', ok: true, value: none });
});

test('waits for the result of a function of the page', () => {
  const thrown: Wire = { t: 'error', v: [['message', text('no')]] };
  const apply = (answer: Answer) => {
    const ask = lendNode({ ...noPage, call: () => answer });
    const id = lentFunction(ask, 'node:assert', 'throws');
    return ask({ op: 'apply', id, self: none, args: list({ t: 'mine', id: 7, kind: 'function' }) });
  };
  expect(apply({ ok: false, value: thrown }).ok).toBe(true);
  expect(apply({ ok: true, value: none }).ok).toBe(false);
});
