import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodePackage } from './plan.ts';
import { runProgram } from './run-program.ts';

const versions = { 20: '20.20.2', 22: '22.23.3' } as const;

/** A Node that shipped programs meet on the machines of their users; installed by npm into the cache folder. */
export async function provideNode(
  major: keyof typeof versions,
  cacheFolder: string,
  say: (line: string) => void,
): Promise<string> {
  const version = versions[major];
  const name = nodePackage(process) ?? '';
  const folder = join(cacheFolder, `${name}-${version}`);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  const path = process.platform === 'win32' ? `${program}.exe` : program;
  if (existsSync(path)) return path;
  say(`Installing Node ${version} into the cache (once)`);
  mkdirSync(cacheFolder, { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  try {
    const code = await runProgram(
      'npm',
      ['install', '--prefix', fresh, '--no-save', '--no-package-lock', `${name}@${version}`],
      { cwd: fresh },
    );
    if (code !== 0) throw new Error(`npm could not install ${name}@${version}`);
    if (!existsSync(path)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return path;
}
