import { expect, test } from 'vitest';
import type { Note } from '../../contract.ts';
import { openTestWorkbench } from '../testing/test-workbench.ts';

test('notifies the other pages of a change that one page sees before the watcher', async () => {
  await using workbench = await openTestWorkbench({ files: { 'n.md': 'one' } });
  const [first, second] = [await workbench.open(), await workbench.open()];
  await first.get<Note>('/note?path=n.md');
  using events = await first.follow();
  await workbench.writeNote('n.md', 'two');
  const { etag, text } = await second.get<Note>('/note?path=n.md');
  expect(text).toBe('two');
  await events.until('note-changed', (event) => event.etag === etag);
});
