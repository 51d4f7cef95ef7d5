import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What the official referee can ask of any server; its other scenarios need tools made for it. */
const scenarios = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
];

/** Has the official referee ask a server of ours over HTTP, and tells what it says of each scenario that fails. */
export async function askReferee(server: string, args: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), `errand-${server}-`));
  const main = join(import.meta.dirname, `../../servers/${server}/src/main.ts`);
  const child = spawn(process.execPath, [main, '--http', '0', ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder },
  });
  try {
    const url = await addressOf(child);
    const referee = fileURLToPath(
      new URL('dist/index.js', import.meta.resolve('conformance-0-2/package.json')),
    );
    const results = await Promise.all(
      scenarios.map(async (scenario) => {
        const options = ['server', '--url', url, '--scenario', scenario];
        return await promisify(execFile)(process.execPath, [referee, ...options])
          .then(() => [])
          .catch((error: { stdout?: string }) => [`${scenario}: ${error.stdout}`]);
      }),
    );
    return results.flat();
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('no standard error');
  for await (const line of createInterface({ input: stderr })) {
    const { urls } = JSON.parse(line) as { readonly urls?: readonly string[] };
    if (urls?.[0] === undefined) continue;
    stderr.resume();
    return urls[0];
  }
  throw new Error('The server ended before it served.');
}
