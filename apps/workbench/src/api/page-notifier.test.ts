import { expect, test } from 'vitest';
import type { WorkbenchEvent } from '../contract.ts';
import { PageNotifier } from './page-notifier.ts';

test('invisible and direction-changing characters of a notice are escaped', () => {
  const notifier = new PageNotifier();
  const events: WorkbenchEvent[] = [];
  notifier.connect((event) => events.push(event));
  notifier.notify({ level: 'warning', message: 'a\u202eb', detail: 'c\u200bd' });
  expect(events).toMatchObject([
    { kind: 'notice', notice: { message: 'a\\u202eb', detail: 'c\\u200bd' } },
  ]);
});
