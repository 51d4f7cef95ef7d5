import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from './toasts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const words = (toasts: Toasts) => toasts.shown.value.map(({ message }) => message);

test('shows three toasts at once and queues the others', () => {
  const toasts = new Toasts();
  for (const message of ['a', 'b', 'c', 'd', 'e']) {
    toasts.show({ level: 'error', message, detail: null, server: null });
  }
  expect(words(toasts)).toEqual(['a', 'b', 'c']);
  expect(toasts.waiting.value).toBe(2);
  toasts.close(toasts.shown.value[0]?.id ?? 0);
  expect(words(toasts)).toEqual(['b', 'c', 'd']);
  toasts.closeAll();
  expect(words(toasts)).toEqual([]);
});

test('information and warnings close after a while; errors stay', () => {
  const toasts = new Toasts();
  toasts.show({ level: 'warning', message: 'careful', detail: null, server: null });
  vi.advanceTimersByTime(19_000);
  expect(words(toasts)).toEqual(['careful']);
  vi.advanceTimersByTime(1_000);
  expect(words(toasts)).toEqual([]);
  toasts.fail({ code: 'x', message: 'broken' });
  for (const message of ['a', 'b', 'c']) toasts.tell(message);
  vi.advanceTimersByTime(6_000);
  expect(words(toasts)).toEqual(['broken', 'c']);
  vi.advanceTimersByTime(6_000);
  expect(words(toasts)).toEqual(['broken']);
});

test('no toast closes while it is hovered or focused', () => {
  const toasts = new Toasts();
  toasts.tell('a');
  toasts.hold(true);
  toasts.tell('b');
  vi.advanceTimersByTime(60_000);
  expect(words(toasts)).toEqual(['a', 'b']);
  toasts.hold(false);
  vi.advanceTimersByTime(6_000);
  expect(words(toasts)).toEqual([]);
});

test('shows the same message once', () => {
  const toasts = new Toasts();
  toasts.tell('a');
  toasts.tell('b');
  toasts.tell('a');
  expect(words(toasts)).toEqual(['a', 'b']);
});

test('a newer notice of a server replaces the older one', () => {
  const toasts = new Toasts();
  const tell = (server: string, message: string) =>
    toasts.show({ level: 'warning', message, detail: null, server });
  tell('a', 'a is gone');
  tell('b', 'b is gone');
  tell('a', 'a is back');
  expect(words(toasts)).toEqual(['a is back', 'b is gone']);
});
