import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readProgram, runProgram } from './provision/run-program.ts';
import { bundleServer } from './release/bundle-server.ts';
import { publicPackages } from './release/public-packages.ts';
import { stagePackage } from './release/stage-package.ts';

const root = join(import.meta.dirname, '..');
const staging = join(root, 'dist/staged');
const tarballs = join(root, 'dist/packages');
const bundles = join(root, 'dist/bundles');

/** Makes a tarball of every public package in `dist/packages`, as it would be published; publishes nothing. */
if (!process.argv.includes('--built')) await run('npm', ['run', '--silent', 'build']);
await run('tsc', [
  '-b',
  ...publicPackages.filter(({ kind }) => kind === 'library').map(({ folder }) => folder),
]);
for (const made of [staging, tarballs, bundles]) rmSync(made, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });
const tooLarge: string[] = [];
for (const published of publicPackages) {
  const folder = join(staging, basename(published.folder));
  const manifest = await stagePackage(root, published, folder);
  const { name, version } = manifest;
  const args = ['pack', folder, '--pack-destination', tarballs, '--ignore-scripts', '--json'];
  const [packed] = JSON.parse(await readProgram('npm', args)) as [
    { filename: string; entryCount: number },
  ];
  if (published.server) await bundleServer(published, manifest, folder, bundles);
  const kilobytes = Math.ceil(statSync(join(tarballs, packed.filename)).size / 1000);
  console.log(
    `${`${name}@${version}`.padEnd(28)} ${String(kilobytes).padStart(6)} KB of ${published.mostKilobytes}, ${packed.entryCount} files`,
  );
  if (kilobytes > published.mostKilobytes) tooLarge.push(name);
}
if (tooLarge.length > 0) {
  console.error(
    `Larger than its limit in tools/release/public-packages.ts: ${tooLarge.join(', ')}`,
  );
  process.exitCode = 1;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const code = await runProgram(program, args, { cwd: root });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
}
