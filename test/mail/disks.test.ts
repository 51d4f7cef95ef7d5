import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const fixture = join(import.meta.dirname, 'disk-fixture.ts');
const isRoot = process.getuid?.() === 0;
/** Makes a namespace in which a disk can be mounted that nobody outside sees, and that goes by itself. */
const namespace = ['--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...namespace, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

interface Seen {
  readonly notes: readonly (readonly [path: string, text: string])[];
  readonly others: readonly string[];
  readonly messages: readonly string[];
  readonly sent: number;
  readonly state?: string;
  readonly problem?: string;
}

async function onDisk(trouble: string) {
  const args = [...namespace, process.execPath, fixture, trouble];
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 100_000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (code !== 0) throw new Error(output.stderr);
  return JSON.parse(output.stdout) as {
    readonly before: Seen['notes'];
    readonly broken: Seen;
    readonly after: Seen;
  };
}

const whole = /^---\ntype: (?:email|draft_reply)\n[\s\S]*\n---\n[\s\S]+\n$/;

test.runIf(canMount).each([
  ['full', 'The disk of the vault is full. Make room.'],
  ['read-only', 'The vault is read-only, or its permissions do not allow to write it.'],
])(
  'on a disk that is %s no note is lost or cut, nothing is sent without its audit line, and all goes on when it is good again',
  { timeout: 120_000 },
  async (trouble, problem) => {
    const { before, broken, after } = await onDisk(trouble);
    expect(broken.notes).toEqual(before);
    expect(broken.others).toEqual([]);
    expect(broken.sent).toBe(0);
    expect(broken).toMatchObject({ state: 'unwritable', problem });
    // Told once, however many things cannot be written.
    expect(broken.messages.filter((message) => message === problem)).toHaveLength(1);
    expect(broken.messages.filter((message) => /^E[A-Z]+:/.test(message))).toEqual([]);
    for (const [, text] of after.notes) expect(text).toMatch(whole);
    const places = after.notes.map(([path, text]) => [
      path.split('/')[0],
      /^subject: "?(.*?)"?$/m.exec(text)?.[1],
    ]);
    expect(places.toSorted()).toEqual([
      ['Done', 'Re: reply one'],
      ['Done', 'reply one'],
      ['Drafts', 'Re: reply two'],
      ['Needs_Action', 'reply two'],
    ]);
    expect(after.sent).toBe(1);
    expect(after.others).toEqual([]);
  },
);
