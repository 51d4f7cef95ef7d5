import { strict as assert } from 'node:assert';
import type { CallLog, CallRecord } from '../call-log.ts';

/** What every call log promises, by sentence; each adapter's test runs all of it on an empty one. */
export const callLogContract: Readonly<Record<string, (log: CallLog) => Promise<void>>> = {
  'remembers nothing at first': async (log) => {
    assert.deepEqual(await log.query({}), []);
  },

  'gives the newest calls first, and no more than asked for': async (log) => {
    for (const id of ['one', 'two', 'three']) log.append(callRecord({ id }));
    assert.deepEqual(await ids(log, {}), ['three', 'two', 'one']);
    assert.deepEqual(await ids(log, { limit: 2 }), ['three', 'two']);
  },

  'finds the calls of a server, whatever its case, and of a note': async (log) => {
    log.append(callRecord({ id: 'one', server: 'Weather', note: 'a.md' }));
    log.append(callRecord({ id: 'two', server: 'mail', note: 'a.md' }));
    assert.deepEqual(await ids(log, { server: 'weather' }), ['one']);
    assert.deepEqual(await ids(log, { note: 'a.md' }), ['two', 'one']);
    assert.deepEqual(await ids(log, { server: 'mail', note: 'b.md' }), []);
  },

  'tells what people ask about a call': async (log) => {
    const error = { code: 'timeout', message: 'Late.' } as const;
    const attempts = [{ startedAt: noon, reason: 'Gone.' }, { startedAt: noon + 5 }];
    log.append(
      callRecord({ id: 'one', status: 'timeout', error, attempts, line: 4, note: 'a.md' }),
    );
    const [call] = await log.query({});
    assert.deepEqual(call, {
      id: 'one',
      source: 'command',
      server: 'weather',
      tool: 'forecast',
      note: 'a.md',
      line: 4,
      status: 'timeout',
      submittedAt: call?.submittedAt,
      durationMs: 20,
      attempts: 2,
      resultBytes: 12,
      error,
    });
  },

  'finds a call by the beginning of its id, with all that it remembers': async (log) => {
    const attempts = [{ startedAt: noon, reason: 'Gone.' }, { startedAt: noon + 5 }];
    log.append(callRecord({ id: 'ab12-one', attempts, section: ['Plans'], approval: 'given' }));
    log.append(callRecord({ id: 'ab34-two' }));
    const call = await log.find('ab12');
    const [, listed] = await log.query({});
    assert.deepEqual(call, {
      ...listed,
      section: ['Plans'],
      parameterNames: ['city'],
      parameters: null,
      retryReasons: ['Gone.'],
      approval: 'given',
      conversation: null,
      lastOutput: null,
    });
    assert.equal((await log.find('ab'))?.id, 'ab34-two');
    assert.equal(await log.find('cd'), undefined);
  },

  'keeps a result and says where': async (log) => {
    assert.equal(await log.keepResult('call-7', 'the answer'), '.errand/log/results/call-7');
  },
};

/** Noon of the day on which the calls of the tests are made. */
export const noon = Date.UTC(2026, 10, 15, 12);

let records = 0;

/** A finished call, each a moment after the one before. */
export function callRecord(change: Partial<CallRecord> = {}): CallRecord {
  records += 1;
  const now = noon + records;
  return {
    id: `call-${records}`,
    source: 'command',
    server: 'weather',
    tool: 'forecast',
    parameters: { city: 'Rome' },
    status: 'success',
    submittedAt: now,
    startedAt: now,
    completedAt: now + 20,
    attempts: [{ startedAt: now }],
    resultBytes: 12,
    ...change,
  };
}

async function ids(log: CallLog, filter: Parameters<CallLog['query']>[0]) {
  return (await log.query(filter)).map(({ id }) => id);
}
