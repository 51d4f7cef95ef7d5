import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort, raceSignal } from './abort.ts';

test.each(['before', 'after'])(
  'passes on the reason of a signal that aborts %s it listens',
  (when) => {
    const controller = new AbortController();
    const heard: unknown[] = [];
    if (when === 'before') controller.abort('enough');
    onAbort(controller.signal, (reason) => heard.push(reason));
    controller.abort('enough');
    expect(heard).toEqual(['enough']);
  },
);

test('calls nothing once it is disposed', () => {
  const controller = new AbortController();
  const heard: unknown[] = [];
  onAbort(controller.signal, (reason) => heard.push(reason))[Symbol.dispose]();
  controller.abort();
  expect(heard).toEqual([]);
});

test('is the outcome of the promise, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await raceSignal(Promise.resolve(1), signal)).toBe(1);
  await expect(raceSignal(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('rejects with the reason of a signal that aborts first', async () => {
  const controller = new AbortController();
  const waiting = raceSignal(new Promise(() => {}), controller.signal);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
});
