import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Everything that must hold before a commit, each as a command that fails by its exit code. */
const steps: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '-b'],
  lint: [
    'biome',
    'ci',
    '--error-on-warnings',
    '--diagnostic-level=warn',
    '--max-diagnostics=none',
    '--colors=off',
  ],
  obsidian: ['node', 'tools/check-obsidian.ts'],
  'dead-code': ['knip'],
  arrows: ['node', 'tools/check-arrows.ts'],
  lengths: ['node', 'tools/check-lengths.ts'],
  sentences: ['node', 'tools/check-sentences.ts'],
  lock: ['node', 'tools/check-lock.ts'],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}`,
  );
  process.exit(2);
}

const waiting = Object.entries(steps).filter(([name]) => !wanted.length || wanted.includes(name));
const failed: string[] = [];
const lane = async () => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, command] = step;
    const started = performance.now();
    const { code, output } = await run(command);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (code !== 0) failed.push(name);
    if (code !== 0 || name === 'lengths') process.stdout.write(output);
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));

if (failed.length > 0) {
  console.error(
    `\nFailed: ${failed.join(', ')}. Formatting and simple lint mends itself: npm run fix`,
  );
  process.exit(1);
}

function run([program = '', ...args]: readonly string[]) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
