import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notice } from '@errand/host';
import { callLogContract, callRecord, noon } from '@errand/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallLogFile } from './call-log-file.ts';

let vault: string;
let notices: Notice[];
let settings: { logParameters: boolean; logDays: number; logMegabytes: number };

beforeEach(async () => {
  vault = await mkdtemp(join(tmpdir(), 'errand-log-'));
  notices = [];
  settings = { logParameters: false, logDays: 30, logMegabytes: 100 };
});

afterEach(() => rm(vault, { recursive: true, force: true }));

function openLog(now = () => noon): CallLogFile {
  const notifier = { notify: (notice: Notice) => void notices.push(notice) };
  const redact = (text: string) => text.replaceAll('hunter2', '[a secret]');
  return new CallLogFile({ vault, settings: () => settings, notifier, now, redact });
}

const record = (change: Parameters<typeof callRecord>[0] = {}) =>
  callRecord({
    parameters: { city: 'Rome', apiKey: 'very-private', note: 'Bearer abcdefghijkl' },
    ...change,
  });

for (const [promise, holds] of Object.entries(callLogContract)) {
  test(`in files: ${promise}`, async () => {
    await using log = openLog();
    await holds(log);
  });
}

const logPath = (name = 'calls-2026-11-15.jsonl') => join(vault, '.errand', 'log', name);
const logText = (name?: string) => readFile(logPath(name), 'utf8');

test('writes one line for each call, with names and a hash instead of values', async () => {
  await using log = openLog();
  log.append(
    record({
      id: 'one',
      note: 'trip.md',
      line: 4,
      section: ['Plans'],
      attempts: [{ startedAt: noon, reason: 'Gone.' }, { startedAt: noon + 5 }],
      tokensUsed: 7,
      approval: 'given',
    }),
  );
  log.append(
    record({
      tool: 'resources/read x://a?token=abcdefghijk&b=hunter2',
      status: 'error',
      error: { code: 'tool_failed', message: 'token=abcdefghijk hunter2 bad' },
    }),
  );
  await log.flush();
  const text = await logText();
  expect(text.endsWith('\n')).toBe(true);
  const [first, second] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({
    id: 'one',
    source: 'command',
    server: 'weather',
    tool: 'forecast',
    note: 'trip.md',
    line: 4,
    section: ['Plans'],
    parameterNames: ['city', 'apiKey', 'note'],
    parameterHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    status: 'success',
    durationMs: 20,
    attempts: [{ startedAt: noon, reason: 'Gone.' }, { startedAt: noon + 5 }],
    resultBytes: 12,
    tokensUsed: 7,
    approval: 'given',
  });
  expect(first).not.toHaveProperty('parameters');
  expect(second.error).toEqual({ code: 'tool_failed', message: 'token=[hidden] [a secret] bad' });
  expect(second.tool).toBe('resources/read x://a?token=[hidden]&b=[a secret]');
  expect((await stat(logPath())).mode & 0o777).toBe(0o600);
});

test('writes values when asked to, but never secrets', async () => {
  settings = { ...settings, logParameters: true };
  await using log = openLog();
  log.append(record());
  await log.flush();
  expect(JSON.parse(await logText()).parameters).toEqual({
    city: 'Rome',
    apiKey: '[hidden]',
    note: 'Bearer [hidden]',
  });
});

test('reads the days backwards, and skips what is torn or not a call', async () => {
  await using log = openLog();
  const yesterday = noon - 86_400_000;
  log.append(record({ id: 'old', submittedAt: yesterday, completedAt: yesterday }));
  log.append(record({ id: 'before' }));
  await log.flush();
  await appendFile(logPath(), '{"id":"torn","serv');
  log.append(record({ id: 'after' }));
  await log.flush();
  await appendFile(logPath(), 'null\n[]\n"x"\n{}\n\n');
  log.append(record({ id: 'last' }));
  const calls = await log.query({});
  expect(calls.map(({ id }) => id)).toEqual(['last', 'after', 'before', 'old']);
});

test('skips lines whose server, status or time is none, and takes nothing else of the wrong kind', async () => {
  await using log = openLog();
  log.append(record({ id: 'ours' }));
  await log.flush();
  const ours = JSON.parse((await readFile(logPath(), 'utf8')).trim());
  const odd = [
    { server: { a: 1 } },
    { status: 5 },
    { submittedAt: 1e300 },
    { submittedAt: '2026' },
    { id: 'kept', note: ['a'], line: 'x', durationMs: 'long', resultBytes: {}, error: 'bad' },
  ];
  const lines = odd.map((change) => `${JSON.stringify({ ...ours, id: 'odd', ...change })}\n`);
  await appendFile(logPath(), lines.join(''));
  const calls = await log.query({ server: ours.server });
  expect(calls.map(({ id }) => id).sort()).toEqual(['kept', 'ours']);
  expect(calls.find(({ id }) => id === 'kept')).toMatchObject({
    note: null,
    line: null,
    durationMs: 0,
    resultBytes: 0,
    error: null,
  });
});

test('creates no files when the history of an empty vault is read', async () => {
  await using log = openLog();
  await log.query({});
  expect(await readdir(vault)).toEqual([]);
});

test('removes what is older than the settings allow, and nothing that is not its own', async () => {
  await using log = openLog();
  await mkdir(logPath('results'), { recursive: true });
  const names = ['calls-2026-10-15.jsonl', 'calls-2026-10-17.jsonl', 'notes-2020-01-01.txt'];
  for (const name of names) await writeFile(logPath(name), '{}\n');
  await writeFile(logPath('results/ancient'), 'x');
  await utimes(logPath('results/ancient'), 0, 0);
  await writeFile(logPath('results/recent'), 'x');
  await utimes(logPath('results/recent'), noon / 1000, noon / 1000);
  log.append(record());
  await log.flush();
  expect((await readdir(logPath(''))).sort()).toEqual([
    'calls-2026-10-17.jsonl',
    'calls-2026-11-15.jsonl',
    'notes-2020-01-01.txt',
    'results',
  ]);
  expect(await readdir(logPath('results'))).toEqual(['recent']);
});

test('removes the oldest when all together is too large, and cuts a day that alone is', async () => {
  settings = { ...settings, logMegabytes: 1 };
  let now = noon;
  await using log = openLog(() => now);
  await mkdir(logPath(''), { recursive: true });
  const filler = `${'x'.repeat(1023)}\n`;
  await writeFile(logPath('calls-2026-11-13.jsonl'), filler.repeat(500));
  await writeFile(logPath('calls-2026-11-14.jsonl'), filler.repeat(500));
  await writeFile(logPath(), filler.repeat(600));
  log.append(record({ id: 'kept' }));
  await log.flush();
  expect(await readdir(logPath(''))).toEqual(['calls-2026-11-15.old.jsonl']);
  now += 60_000;
  log.append(record({ id: 'new' }));
  await log.flush();
  expect((await log.query({})).map(({ id }) => id)).toEqual(['new', 'kept']);
});

test('keeps a result for its owner alone, whatever the id of its call', async () => {
  await using log = openLog();
  const path = await log.keepResult('../../escape', 'the answer');
  expect(path).toMatch(/^\.errand\/log\/results\/[0-9a-f]{64}$/);
  expect(await readFile(join(vault, path), 'utf8')).toBe('the answer');
  expect((await stat(join(vault, path))).mode & 0o777).toBe(0o600);
  expect((await stat(join(vault, '.errand/log/results'))).mode & 0o777).toBe(0o700);
});

test('a disk that refuses is reported once, and what was kept is written when it no longer does', async () => {
  await using log = openLog();
  await writeFile(join(vault, '.errand'), 'a file where the folder should be');
  log.append(record({ id: 'first' }));
  await log.flush();
  log.append(record({ id: 'second' }));
  await log.flush();
  expect(notices).toHaveLength(1);
  expect(notices[0]?.message).toMatch(/^The call log cannot be written/);
  await rm(join(vault, '.errand'));
  expect((await log.query({})).map(({ id }) => id)).toEqual(['second', 'first']);
});

test('a call whose parameters are nested too deep is recorded without them, and so are the others', async () => {
  await using log = openLog();
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  log.append(record({ id: 'deep', parameters: { deep } }));
  log.append(record({ id: 'next' }));
  const ids = (await log.query({})).map(({ id }) => id).sort();
  expect({ ids, notices }).toEqual({ ids: ['deep', 'next'], notices: [] });
});

test('several programs write at once without tearing a line, also one that just exits', async () => {
  const program = `
    import { CallLogFile } from ${JSON.stringify(new URL('./call-log-file.ts', import.meta.url).href)};
    const log = new CallLogFile({
      vault: process.argv[1],
      settings: () => ({ logParameters: true, logDays: 30, logMegabytes: 100 }),
      notifier: { notify: (notice) => console.error(notice) },
      now: () => ${noon},
    });
    for (let i = 0; i < 300; i += 1) {
      log.append({
        id: process.argv[2] + '-' + i, source: 'command', server: 's', tool: 't',
        parameters: { text: 'x'.repeat(i * 7) }, status: 'success',
        submittedAt: ${noon}, completedAt: ${noon}, attempts: [], resultBytes: 0,
      });
      if (i % 10 === 0) await log.flush();
    }
    process.exit(0);
  `;
  const exits = ['a', 'b', 'c'].map(async (name) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, vault, name], {
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    return code;
  });
  expect(await Promise.all(exits)).toEqual([0, 0, 0]);
  const ids = (await logText())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(900);
  expect(ids).toHaveLength(900);
});

test('after a disk that was full for a while, no call is written twice and none is missing', async () => {
  const program = `
    import { renameSync } from 'node:fs';
    import { CallLogFile } from ${JSON.stringify(new URL('./call-log-file.ts', import.meta.url).href)};
    const notices = [];
    const log = new CallLogFile({
      vault: process.argv[1],
      settings: () => ({ logParameters: false, logDays: 30, logMegabytes: 100 }),
      notifier: { notify: ({ message }) => notices.push(message) },
      now: () => ${noon},
    });
    for (let i = 0; i < 40; i += 1) {
      const completedAt = ${noon} - (i < 3 ? 86_400_000 : 0);
      log.append({
        id: 'call-' + i, source: 'command', server: 's', tool: 'ü'.repeat(100),
        parameters: {}, status: 'success', submittedAt: ${noon}, completedAt, attempts: [], resultBytes: 0,
      });
    }
    for (let round = 0; round < 10; round += 1) {
      await log.flush();
      const file = process.argv[1] + '/.errand/log/calls-2026-11-15.jsonl';
      renameSync(file, file + '.' + round);
      log.append({
        id: 'later-' + round, source: 'command', server: 's', tool: 't', parameters: {},
        status: 'success', submittedAt: ${noon}, completedAt: ${noon}, attempts: [], resultBytes: 0,
      });
    }
    console.log(JSON.stringify(notices));
  `;
  // A file may grow to 4 KiB, as if the disk were full then; Node ignores the signal that comes with it.
  const limited = 'ulimit -f 4; exec "$0" --input-type=module -e "$1" "$2"';
  const child = spawn('bash', ['-c', limited, process.execPath, program, vault]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, records: JSON.parse(output).length }).toEqual({ code: 0, records: 1 });
  const names = (await readdir(logPath(''))).filter((name) => name.startsWith('calls-'));
  const texts = await Promise.all(names.map((name) => logText(name)));
  const ids = texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line).id] : [])),
  );
  const expected = Array.from({ length: 40 }, (_, index) => `call-${index}`);
  expect(ids.filter((id) => id.startsWith('call-')).sort()).toEqual(expected.sort());
  expect(new Set(ids).size).toBe(ids.length);
  expect(texts.filter((text) => !text.endsWith('\n')).length).toBeGreaterThan(0);
});

test('neither a notifier nor a redactor that fails keeps calls out of the log', async () => {
  const fail = () => {
    throw new Error('a defect');
  };
  const notifier = { notify: fail };
  await writeFile(join(vault, '.errand'), 'a file where the folder should be');
  await using log = new CallLogFile({
    vault,
    settings: () => settings,
    notifier,
    now: () => noon,
    redact: fail,
  });
  log.append(record({ id: 'first', status: 'error', error: { code: 'timeout', message: 'late' } }));
  await log.flush();
  await rm(join(vault, '.errand'));
  log.append(record({ id: 'second' }));
  const calls = await log.query({});
  expect(calls.map(({ id }) => id).sort()).toEqual(['first', 'second']);
  expect(calls.find(({ id }) => id === 'first')?.error?.message).toBe('[hidden]');
});
