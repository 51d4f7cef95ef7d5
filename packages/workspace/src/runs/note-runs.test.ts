import { findToolBlocks, scan } from '@errand/document';
import { NoteSessions } from '@errand/host';
import { localServer, MemoryAttachments, MemoryNotes, memoryHost } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { keyBlocks } from './key-blocks.ts';
import type { NoteRunEvent } from './note-run-event.ts';
import { NoteRuns } from './note-runs.ts';

const path = 'a.md';
const block = (text: string) => `\`\`\`a\ntool: echo\ntext: ${text}\n\`\`\`\n`;

/** A note, and a server whose answers to `slow` wait until they are let through. */
async function open(text: string, settings = {}) {
  const fixture = await memoryHost([localServer('a')], settings);
  const calls: string[] = [];
  const called = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  fixture.connector.behaviours.set('a', {
    call: async (call, { signal, onProgress }) => {
      calls.push(String(call.arguments.text));
      if (call.arguments.text === 'slow') {
        onProgress?.({ progress: 1, total: 2 });
        called.resolve();
        const ended = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        await Promise.race([gate.promise, ended]);
      }
      return { content: [{ type: 'text', text: 'done' }] };
    },
  });
  const notes = new MemoryNotes({ [path]: text });
  const faults: unknown[] = [];
  const sessions = new NoteSessions(fixture.host, { onChange: () => {}, onNear: () => {} });
  const runs = new NoteRuns({
    host: fixture.host,
    log: fixture.log,
    attachments: new MemoryAttachments(),
    sessions,
    onFault: (error) => faults.push(error),
  });
  const events: NoteRunEvent[] = [];
  runs.subscribe((event) => events.push(event));
  const context = fixture.host.servers.noteContext(path);
  const read = (text: string) => keyBlocks(findToolBlocks(scan(text), context));
  const blocks = read(text);
  const keys = blocks.map(({ key }) => key);
  return {
    ...{ runs, notes, blocks, keys, calls, events, faults, called: called.promise },
    read,
    letThrough: gate.resolve,
    start: (chosen = blocks) =>
      runs.start({ path, text, blocks: chosen, force: false, again: false }, notes),
    text: () => notes.texts.get(path) ?? '',
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

test('reports how a block waits, runs, progresses and ends', async () => {
  await using fixture = await open(block('slow'));
  const { runs, keys, events } = fixture;
  const [key = ''] = keys;
  const started = fixture.start();
  expect(started.keys).toEqual(keys);
  expect(runs.runningBlock(path, key)).toMatchObject({ status: 'pending', startedAt: null });
  await fixture.called;
  expect(runs.runningBlock(path, key)).toMatchObject({
    status: 'executing',
    startedAt: expect.any(Number),
    progress: { progress: 1, total: 2 },
  });
  fixture.letThrough();
  expect(await Promise.all(started.outcomes)).toMatchObject([{ status: 'success', written: true }]);
  expect(runs.runningBlock(path, key)).toBeUndefined();
  expect(runs.lastOutcome(path, key)).toMatchObject({ status: 'success' });
  await expect.poll(() => events.at(-1)?.kind).toBe('run-ended');
  expect(events[0]).toMatchObject({ kind: 'run-started', runId: started.id, keys });
  expect(events.at(-1)).toMatchObject({ runId: started.id, error: null });
  const changes = events.filter((event) => event.kind === 'block-changed');
  expect(changes.at(-1)).toMatchObject({ run: null, outcome: { status: 'success' } });
  expect(changes).toContainEqual(
    expect.objectContaining({ run: expect.objectContaining({ progress: expect.anything() }) }),
  );
});

test('a block that runs already is joined and not called twice, also when it moved meanwhile', async () => {
  await using fixture = await open(block('slow'));
  const first = fixture.start();
  await fixture.called;
  const moved = `Above.\n\n${fixture.text()}`;
  fixture.notes.texts.set(path, moved);
  const again = fixture.read(moved);
  expect(again.map(({ key }) => key)).toEqual(fixture.keys);
  const second = fixture.runs.start(
    { path, text: moved, blocks: again, force: false, again: false },
    fixture.notes,
  );
  expect(second.keys).toEqual([]);
  fixture.letThrough();
  expect(await second.outcomes[0]).toBe(await first.outcomes[0]);
  expect(fixture.calls).toEqual(['slow']);
  expect(fixture.text()).toMatch(/^Above\.\n\n```a\n.*mcp-result/s);
});

test('cancels one block and lets the other run', async () => {
  await using fixture = await open(`${block('slow')}\n${block('fast')}`);
  const { outcomes } = fixture.start();
  await fixture.called;
  fixture.runs.cancel(path, fixture.keys.slice(0, 1));
  expect(await Promise.all(outcomes)).toMatchObject([
    { status: 'cancelled', written: false },
    { status: 'success', written: true },
  ]);
  expect(fixture.runs.count(path)).toBe(0);
});

test('writes nothing into a note that was replaced meanwhile', async () => {
  await using fixture = await open(block('slow'));
  const { outcomes } = fixture.start();
  await fixture.called;
  fixture.notes.texts.set(path, 'Another note.\n');
  fixture.letThrough();
  expect(await outcomes[0]).toMatchObject({ status: 'refused', error: { code: 'note_changed' } });
  expect(fixture.text()).toBe('Another note.\n');
});

test('keeps running blocks when the result of another block fails', async () => {
  await using fixture = await open(`${block('fast')}\n${block('slow')}`);
  const { notes, runs, keys, events } = fixture;
  const edit = notes.edit.bind(notes);
  const broken = Promise.withResolvers<void>();
  notes.edit = async () => {
    notes.edit = edit;
    broken.resolve();
    throw new TypeError('a defect');
  };
  const [fast, last] = fixture.start().outcomes;
  await broken.promise;
  // Until the microtasks of the failure are through.
  await new Promise(setImmediate);
  expect(runs.runningBlock(path, keys[1] ?? '')).toBeDefined();
  fixture.letThrough();
  await expect(fast).rejects.toThrow('a defect');
  expect(await last).toMatchObject({ status: 'success', written: true });
  expect(runs.count(path)).toBe(0);
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', error: { message: 'a defect' } });
});

test('a run that cannot begin leaves no block running, and says why', async () => {
  await using fixture = await open(block('fast'));
  fixture.notes.ensureWritable = async () => {
    throw new Error('read-only');
  };
  const { outcomes } = fixture.start();
  await expect(outcomes[0]).rejects.toThrow('read-only');
  expect(fixture.runs.count(path)).toBe(0);
  expect(fixture.calls).toEqual([]);
});

test('follows a note to another path, and forgets one that is gone', async () => {
  await using fixture = await open(block('slow'));
  const [key = ''] = fixture.keys;
  const { outcomes } = fixture.start();
  await fixture.called;
  fixture.runs.rename(path, 'b.md');
  expect(fixture.runs.count(path)).toBe(0);
  expect(fixture.runs.runningBlock('b.md', key)).toBeDefined();
  fixture.letThrough();
  await outcomes[0];
  expect(fixture.runs.lastOutcome('b.md', key)).toBeDefined();
  fixture.runs.rename('b.md', 'folder/b.md');
  expect(fixture.runs.lastOutcome('folder/b.md', key)).toBeDefined();
  fixture.runs.forget('folder/b.md');
  expect(fixture.runs.lastOutcome('folder/b.md', key)).toBeUndefined();
});

test('a note with more blocks than the limit runs whole, and one block does not raise it', async () => {
  await using fixture = await open(`${block('1')}\n${block('2')}\n${block('3')}`, {
    mcpSessionLimit: 2,
  });
  expect(fixture.runs.limitFor(path, 3)).toBe(3);
  const ended = await Promise.all(fixture.start().outcomes);
  expect(ended).toMatchObject(Array(3).fill({ status: 'success' }));
  const text = fixture.text();
  const blocks = fixture.read(text).slice(0, 1);
  const [one] = fixture.runs.start(
    { path, text, blocks, force: false, again: true },
    fixture.notes,
  ).outcomes;
  expect(await one).toMatchObject({ status: 'refused', error: { code: 'session_limit' } });
});

test('a listener that throws is reported and the run goes on', async () => {
  await using fixture = await open(block('fast'));
  fixture.runs.subscribe(() => {
    throw new Error('a broken face');
  });
  expect(await fixture.start().outcomes[0]).toMatchObject({ status: 'success', written: true });
  expect(fixture.faults).toContainEqual(expect.objectContaining({ message: 'a broken face' }));
});

test('disposing ends what runs and waits for it', async () => {
  const fixture = await open(block('slow'));
  const { outcomes } = fixture.start();
  await fixture.called;
  await fixture[Symbol.asyncDispose]();
  expect(await outcomes[0]).toMatchObject({ status: 'cancelled' });
});
