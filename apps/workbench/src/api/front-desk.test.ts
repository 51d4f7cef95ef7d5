import { expect, test } from 'vitest';
import type { WorkbenchEvent } from '../contract.ts';
import { FrontDesk } from './front-desk.ts';

test('what would hide or turn the words of a notice is spelled out', () => {
  const desk = new FrontDesk();
  const events: WorkbenchEvent[] = [];
  desk.connect((event) => events.push(event));
  desk.notify({ level: 'warning', message: 'a\u202eb', detail: 'c\u200bd' });
  expect(events).toMatchObject([
    { kind: 'notice', notice: { message: 'a\\u202eb', detail: 'c\\u200bd' } },
  ]);
});
