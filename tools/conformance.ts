import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// The official referee in two versions against a server made with the kit. The older one is kept
// as a second opinion; only the newer one knows revision 2026-07-28.
const older = import.meta.resolve('conformance-0-1/package.json');
const newer = import.meta.resolve('conformance-0-2/package.json');
const rounds = [
  { referee: older, args: ['--suite', 'all'], atLeast: 32 },
  { referee: newer, args: ['--requirements', '2025-11-25'], atLeast: 30 },
  { referee: newer, args: ['--requirements', '2026-07-28'], atLeast: 40 },
];

const server = new URL('../test/conformance/fixture/main.ts', import.meta.url);
const fixture = spawn('node', [fileURLToPath(server), '--http', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
  // The older referee ends no session that it has opened.
  env: { ...process.env, MCP_MAX_CLIENTS: '1000' },
});
try {
  const url = await addressOf(fixture);
  const results = await Promise.all(rounds.map((round) => judge(round, url)));
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

async function judge({ referee, args, atLeast }: (typeof rounds)[number], url: string) {
  const program = fileURLToPath(new URL('dist/index.js', referee));
  const child = spawn('node', [program, 'server', '--url', url, ...args]);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  const named = (pattern: RegExp) => [...summary.matchAll(pattern)].map(([, name = '']) => name);
  const unscored = named(/^ {2}[✓✗] (\S+) \(/gm);
  const failed = named(/^✗ (\S+):/gm).filter((name) => !unscored.includes(name));
  const passed = named(/^✓ (\S+):/gm);
  const version = referee === older ? '0.1' : '0.2';
  console.log(`Referee ${version} ${args.join(' ')}: ${passed.length} scenarios passed`);
  for (const name of failed) console.log(`  FAILED ${name}`);
  for (const note of named(/^ {2}(✗ \S+ \(.*\))/gm)) console.log(`  not required: ${note}`);
  if (passed.length < atLeast) console.log(`  FAILED: at least ${atLeast} should pass.\n${output}`);
  return failed.length === 0 && passed.length >= atLeast;
}
