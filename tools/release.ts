import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readProgram, runProgram } from './provision/run-program.ts';
import { planRelease } from './release/plan-release.ts';

const root = join(import.meta.dirname, '..');
const help = `npm run release -- VERSION [--dry-run]

Makes a release: one version for everything, the changelog, checks, packages, a list of what they
contain (SBOM), a commit and a tag. It publishes nothing. With --dry-run it says what it would change,
checks and packs what is there, and changes nothing.`;

/** Prepares a release, or says what it would do. */
try {
  process.exitCode = await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function release(): Promise<number> {
  const options = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version] = positionals;
  if (values.help || version === undefined) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  const date = new Date().toISOString().slice(0, 10);
  const changes = planRelease({ version, date, files: releaseFiles() });
  console.log(`Version ${version} changes ${changes.length} files:`);
  for (const { path } of changes) console.log(`  ${path}`);
  if (values['dry-run']) {
    await makePackages();
    console.log(
      `Nothing was changed. Without --dry-run they are committed, and tagged v${version}.`,
    );
    return 0;
  }
  if ((await readProgram('git', ['-C', root, 'status', '--porcelain'])) !== '') {
    throw new Error('There are changes that are not committed. Commit them, or put them away.');
  }
  for (const { path, text } of changes) writeFileSync(join(root, path), text);
  await makePackages();
  await run('git', ['commit', '--all', '--message', `release: ${version}`]);
  await run('git', ['tag', '--annotate', `v${version}`, '--message', `Errand ${version}`]);
  console.log(`Tagged v${version}. To publish: npm publish dist/packages/*.tgz, one by one.`);
  return 0;
}

function releaseFiles(): ReadonlyMap<string, string> {
  const paths = [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'apps/obsidian/manifest.json',
    'apps/obsidian/versions.json',
    ...globSync('{apps,packages,servers}/*/package.json', { cwd: root }).sort(),
  ];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

async function makePackages(): Promise<void> {
  await run('npm', ['run', 'check']);
  await run('npm', ['run', 'pack']);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const sbom = await readProgram('npm', args);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/errand.cdx.json'), sbom);
  console.log('What the packages contain: dist/errand.cdx.json (CycloneDX)');
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const code = await runProgram(program, args, { cwd: root });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
}
