import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '..');

/** A copy of the checkout's files that a test may break, with the checkout's installed packages. */
export class ScratchCopy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'errand-scratch-'));

  /** Of all files, or of those that are wanted. */
  constructor(isWanted: (path: string) => boolean = () => true) {
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const paths = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    for (const path of paths.filter(isWanted)) {
      cpSync(join(root, path), join(this.folder, path), { force: true });
    }
    linkInstalledPackages(this.folder);
  }

  /** Disposing what comes of it undoes it, here and below. */
  write(path: string, text: string): Disposable {
    const place = join(this.folder, path);
    const before = existsSync(place) ? readFileSync(place) : undefined;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    return {
      [Symbol.dispose]: () => {
        if (before === undefined) rmSync(place);
        else writeFileSync(place, before);
      },
    };
  }

  /** Lays fields over a package's manifest. */
  editManifest(folder: string, fields: Readonly<Record<string, unknown>>): Disposable {
    return this.#editJson(join(folder, 'package.json'), (manifest) =>
      Object.assign(manifest, fields),
    );
  }

  editLock(change: (packages: Record<string, unknown>) => void): Disposable {
    return this.#editJson('package-lock.json', (lock) => {
      change(lock.packages as Record<string, unknown>);
    });
  }

  /** Runs steps of `npm run check` here. */
  check(...steps: readonly string[]): { readonly failed: boolean; readonly output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/check.ts', ...steps], {
      cwd: this.folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      },
    });
    return { failed: status !== 0, output: stripVTControlCharacters(stdout + stderr) };
  }

  #editJson(path: string, change: (value: Record<string, unknown>) => void): Disposable {
    const value = JSON.parse(readFileSync(join(this.folder, path), 'utf8'));
    change(value);
    return this.write(path, JSON.stringify(value, undefined, 2));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Links to what is installed, except for our own packages: those must be the copy's. */
function linkInstalledPackages(folder: string): void {
  const installed = join(root, 'node_modules');
  const links = join(folder, 'node_modules');
  mkdirSync(join(links, '@errand'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== '@errand') symlinkSync(join(installed, name), join(links, name));
  }
  for (const name of readdirSync(join(installed, '@errand'))) {
    const target = relative(root, realpathSync(join(installed, '@errand', name)));
    symlinkSync(join(folder, target), join(links, '@errand', name));
  }
}
