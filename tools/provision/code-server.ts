import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readProgram, runProgram } from './run-program.ts';

const version = '4.139.1';
/** The versions below it are pinned by the files that the package carries. */
const integrity =
  'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';
const tarball = `code-server-${version}.tgz`;

interface InstallOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface CodeServer {
  /** Where the program is once it is installed, never half. */
  readonly program: string;
  readonly installed: Promise<void>;
}

/** The program that serves VS Code 1.139 to a browser, with its real extension host; installed by npm into the cache folder. */
export function provideCodeServer(cacheFolder: string, options: InstallOptions): CodeServer {
  const folder = join(cacheFolder, `code-server-${version}`);
  const program = join(folder, 'node_modules/code-server/out/node/entry.js');
  const isThere = existsSync(program);
  const installed = isThere ? Promise.resolve() : install(folder, program, options);
  return { program, installed };
}

async function install(
  folder: string,
  program: string,
  { env, say, signal }: InstallOptions,
): Promise<void> {
  say(`Installing code-server ${version} into the cache (once, 620 MB, some minutes)`);
  mkdirSync(dirname(folder), { recursive: true });
  // The compiler takes no path with a space in it, which a checkout may have.
  const fresh = mkdtempSync(join(tmpdir(), 'errand-code-server-'));
  try {
    await readProgram('npm', [
      'pack',
      `code-server@${version}`,
      '--silent',
      '--pack-destination',
      fresh,
    ]);
    checkIntegrity(join(fresh, tarball));
    writeFileSync(join(fresh, 'package.json'), JSON.stringify(manifest));
    const code = await runProgram(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd: fresh,
        env: buildEnv(env, fresh),
        signal,
      },
    );
    if (code !== 0) throw new Error(`npm could not install code-server@${version}`);
    rmSync(join(fresh, 'node'), { recursive: true, force: true });
    if (!existsSync(program)) moveFolder(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Also to another disk, and never half. */
function moveFolder(from: string, to: string): void {
  const beside = `${to}-${process.pid}`;
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    cpSync(from, beside, { recursive: true, verbatimSymlinks: true });
    renameSync(beside, to);
  }
}

const manifest = {
  name: 'code-server-of-tests',
  private: true,
  dependencies: { 'code-server': `file:${tarball}` },
  // Its add-ons are compiled when it is installed.
  allowScripts: { 'code-server': true, argon2: true },
};

function checkIntegrity(file: string): void {
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${tarball} is another file than the pinned one`);
}

/** It is built and run by the Node of this process, with the headers that came with it, under a path without spaces. */
function buildEnv({ PATH = '', ...env }: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const bin = dirname(process.execPath);
  const headers = join(dirname(bin), 'include');
  const nodeFolder = join(folder, 'node');
  const hasHeaders = existsSync(join(headers, 'node'));
  if (hasHeaders) {
    mkdirSync(nodeFolder);
    symlinkSync(headers, join(nodeFolder, 'include'));
  }
  // The npm that started the tests names its own Node here, by which the installation would judge ours.
  delete env.npm_config_user_agent;
  return {
    ...env,
    PATH: `${bin}${delimiter}${PATH}`,
    ...(hasHeaders && { npm_config_nodedir: nodeFolder }),
  };
}
