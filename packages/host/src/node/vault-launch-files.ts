import { type BigIntStats, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { LaunchFile, LaunchFiles } from '../launch-files.ts';
import { mapTexts } from '../settings/map-texts.ts';
import { relativeArgument } from '../settings/relative-argument.ts';
import type { LocalConfig } from '../settings.ts';
import { hashFile } from './hash-file.ts';
import { isInFolder } from './is-in-folder.ts';
import { launchWords } from './launch-words.ts';
import { realPath } from './real-path.ts';
import { isDataFile, isInterpreter } from './runs-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks on the disk for the programs and scripts of a vault that its entries name. */
export function vaultLaunchFiles(vaultFolder: string, env: Environment): LaunchFiles {
  const hashes = new FileHashes();
  return {
    of({ deploymentType, localConfig }, { isFresh = false } = {}) {
      if (deploymentType !== 'local' || localConfig === undefined) return [];
      if (isFresh) hashes.forget();
      return filesOf(expandVariables(localConfig, env), vaultFolder, hashes);
    },
  };
}

function filesOf(
  config: LocalConfig,
  vaultFolder: string,
  hashes: FileHashes,
): readonly LaunchFile[] {
  const { command, cwd } = config;
  const folder = resolve(vaultFolder, cwd ?? '');
  const vault: Vault = { folder: vaultFolder, real: realPath(vaultFolder) ?? vaultFolder };
  const program = /[\\/]/.test(command) ? lookAt(resolve(folder, command), vault) : undefined;
  // Where the entry names no folder, a word that is no plain path cannot reach the vault.
  const mayReach = (word: string) =>
    cwd !== undefined || relativeArgument(word) !== undefined || /^([\\/]|[A-Za-z]:)/.test(word);
  const given = [...launchWords(config)]
    .filter((word) => word !== '' && mayReach(word))
    .flatMap((word) => lookAt(resolve(folder, word), vault) ?? []);
  const runsFirst = isInterpreter(command);
  const scripts = given.filter(({ path, found }, index) =>
    runsFirst && index === 0 ? true : !found.isDirectory() && !isDataFile(path),
  );
  const files = new Map<string, LaunchFile>();
  for (const { path, real, found } of program === undefined ? scripts : [program, ...scripts]) {
    files.set(path, { path, identity: identityOf(real, found) });
  }
  return [...files.values()];

  function identityOf(real: string, found: BigIntStats): string {
    if (!isInFolder(vault.real, real)) return `link to ${real}`;
    return found.isDirectory() ? 'folder' : (hashes.of(real, found) ?? '');
  }
}

interface Vault {
  readonly folder: string;
  readonly real: string;
}

interface FoundFile {
  readonly path: string;
  readonly real: string;
  readonly found: BigIntStats;
}

/** What lies at a path, if that is in the vault by its name or by where it leads. */
function lookAt(path: string, vault: Vault): FoundFile | undefined {
  const real = path.includes('\0') ? undefined : realPath(path);
  if (real === undefined) return undefined;
  const base = [vault.folder, vault.real].find((folder) => isInFolder(folder, path));
  if (base === undefined && !isInFolder(vault.real, real)) return undefined;
  const found = statSync(real, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const inside = base === undefined ? relative(vault.real, real) : relative(base, path);
  return { path: inside.split(sep).join('/') || '.', real, found };
}

/** Hashes of files, kept while the system says that they are as they were. */
class FileHashes {
  readonly #known = new Map<
    string,
    { readonly stamp: string; readonly hash: string | undefined }
  >();

  of(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string | undefined {
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.hash;
    const hash = hashFile(path);
    this.#known.set(path, { stamp, hash });
    return hash;
  }

  forget(): void {
    this.#known.clear();
  }
}

/** Secrets are left alone: no stranger decides what they are. */
function expandVariables(config: LocalConfig, env: Environment): LocalConfig {
  return mapTexts(config, (text) =>
    text.replace(/\$\{env:([^{}]*)\}/g, (reference, name: string) => env[name] ?? reference),
  );
}
