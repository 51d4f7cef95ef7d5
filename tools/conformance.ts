import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

// The official referee in two versions against a server made with the kit. The older one is kept
// as a second opinion; only the newer one knows revision 2026-07-28.
const referees = [
  { package: 'conformance-0-1', args: ['--suite', 'all'], atLeast: 32 },
  {
    package: 'conformance-0-2',
    args: ['--requirements', '2025-11-25'],
    atLeast: 30,
  },
  {
    package: 'conformance-0-2',
    args: ['--requirements', '2026-07-28'],
    atLeast: 40,
  },
] as const;

const fixture = spawn('node', ['test/conformance/fixture/main.ts', '--http', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  // The older referee ends no session that it has opened.
  env: { ...process.env, MCP_MAX_CLIENTS: '1000' },
});
try {
  const url = await addressOf(fixture);
  const results = await Promise.all(referees.map((referee) => judge(referee, url)));
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  fixture.kill();
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('The fixture has no standard error.');
  for await (const line of createInterface({ input: stderr })) {
    const { urls } = JSON.parse(line) as { readonly urls?: readonly string[] };
    if (urls?.[0] !== undefined) {
      stderr.resume();
      return urls[0];
    }
  }
  throw new Error('The fixture ended before it served.');
}

async function judge(referee: (typeof referees)[number], url: string): Promise<boolean> {
  const program = `node_modules/${referee.package}/dist/index.js`;
  const child = spawn('node', [program, 'server', '--url', url, ...referee.args]);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  const named = (pattern: RegExp) => [...summary.matchAll(pattern)].map(([, name = '']) => name);
  const unscored = named(/^ {2}[✓✗] (\S+) \(/gm);
  const failed = named(/^✗ (\S+):/gm).filter((name) => !unscored.includes(name));
  const passed = named(/^✓ (\S+):/gm);
  const isEnough = passed.length >= referee.atLeast;
  console.log(`${referee.package} ${referee.args.join(' ')}: ${passed.length} scenarios passed`);
  for (const name of failed) console.log(`  FAILED ${name}`);
  for (const note of named(/^ {2}(✗ \S+ \(.*\))/gm)) console.log(`  not required: ${note}`);
  if (!isEnough) console.log(`  FAILED: at least ${referee.atLeast} should.\n${output}`);
  return failed.length === 0 && isEnough;
}
