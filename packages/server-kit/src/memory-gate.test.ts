import { expect, test } from 'vitest';
import { type Admission, MemoryGate } from './memory-gate.ts';

function setUp({ patience = 60_000 } = {}) {
  const memory = { used: 10, afterCollecting: undefined as number | undefined };
  const gate = new MemoryGate({
    memoryLimit: 100,
    memory: () => memory.used,
    relieve() {
      memory.used = memory.afterCollecting ?? memory.used;
      return memory.used;
    },
    patience,
  });
  return { gate, memory };
}

function leave(admission: Admission): void {
  if (admission.kind === 'refused') throw new Error('It was refused.');
  admission.ticket[Symbol.dispose]();
}

test('lets in what fits, and makes the rest wait in its order', async () => {
  const { gate } = setUp();
  const first = await gate.enter(40);
  const second = await gate.enter(30);
  const order: string[] = [];
  const third = Promise.resolve(gate.enter(30)).then((admission) => {
    order.push('third');
    return admission;
  });
  // It would fit by itself, but the third came before it.
  const fourth = Promise.resolve(gate.enter(1)).then((admission) => {
    order.push('fourth');
    return admission;
  });
  expect(gate.waiting).toBe(2);
  leave(first);
  for (const admission of [second, await third, await fourth]) leave(admission);
  expect(order).toEqual(['third', 'fourth']);
});

test('lets in one at a time that needs more than there is', async () => {
  const { gate } = setUp();
  const first = await gate.enter(1_000);
  const second = gate.enter(1_000);
  expect(gate.waiting).toBe(1);
  leave(first);
  leave(await second);
});

test('refuses at once when memory is used up and nothing runs that could give it back', async () => {
  const { gate, memory } = setUp();
  memory.used = 90;
  expect(await gate.enter(1)).toEqual({ kind: 'refused', memoryUsage: 90 });
});

test('waits for the next collection when there was one just now', async () => {
  const { gate, memory } = setUp();
  memory.used = 90;
  await gate.enter(1);
  memory.afterCollecting = 20;
  expect((await gate.enter(1)).kind).toBe('admitted');
});

test('collects garbage before it refuses', async () => {
  const { gate, memory } = setUp();
  memory.used = 90;
  memory.afterCollecting = 20;
  expect(await gate.enter(1)).toMatchObject({ kind: 'admitted' });
});

test('waits while something runs, and goes on when memory is free again', async () => {
  const { gate, memory } = setUp();
  const running = await gate.enter(1);
  memory.used = 90;
  const waiting = gate.enter(1);
  memory.used = 20;
  expect((await waiting).kind).toBe('admitted');
  leave(running);
});

test('refuses who has waited too long, and who has left', async () => {
  const { gate } = setUp({ patience: 5 });
  const running = await gate.enter(1_000);
  expect(await gate.enter(1)).toMatchObject({ kind: 'refused' });
  const patient = setUp();
  const other = await patient.gate.enter(1_000);
  const controller = new AbortController();
  const waiting = patient.gate.enter(1, controller.signal);
  controller.abort();
  expect(await waiting).toMatchObject({ kind: 'refused' });
  expect(patient.gate.waiting).toBe(0);
  leave(running);
  leave(other);
});
