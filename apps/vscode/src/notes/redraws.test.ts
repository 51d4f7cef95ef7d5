import { ManualClock } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { Redraws } from './redraws.ts';

function open() {
  const clock = new ManualClock();
  const editor = { told: 0, isSeen: true };
  const redraws = new Redraws({
    tell: () => {
      editor.told += 1;
    },
    isSeen: () => editor.isSeen,
    clock,
  });
  return { clock, editor, redraws };
}

test('tells of the first change at once, and of those that came meanwhile once the editor has drawn', async () => {
  const { clock, editor, redraws } = open();
  for (let change = 0; change < 50; change += 1) {
    redraws.change();
    await clock.advance(10);
  }
  expect(editor.told).toBe(1);
  redraws.drawn();
  expect(editor.told).toBe(2);
  redraws.drawn();
  await clock.advance(60_000);
  expect(editor.told).toBe(2);
});

test('tells again, each time later, until the editor draws or shows nothing', async () => {
  const { clock, editor, redraws } = open();
  redraws.change();
  await clock.advance(999);
  expect(editor.told).toBe(1);
  await clock.advance(1);
  expect(editor.told).toBe(2);
  await clock.advance(1_999);
  expect(editor.told).toBe(2);
  await clock.advance(1);
  expect(editor.told).toBe(3);
  editor.isSeen = false;
  await clock.advance(60_000);
  expect(editor.told).toBe(3);
  redraws.change();
  expect(editor.told).toBe(4);
});

test('is content with an editor that asks and has nothing to draw', async () => {
  const { clock, editor, redraws } = open();
  redraws.change();
  redraws.asked();
  await clock.advance(60_000);
  expect(editor.told).toBe(1);
  redraws.change();
  redraws.change();
  redraws.asked();
  await clock.advance(1_000);
  expect(editor.told).toBe(3);
});

test('leaves no timer behind', () => {
  const { clock, redraws } = open();
  redraws.change();
  redraws[Symbol.dispose]();
  expect(clock.sleepers).toBe(0);
});
