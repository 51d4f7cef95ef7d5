import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type LaunchFile, type LaunchFiles, mapTexts, type ServerConfig } from '@errand/host';
import { isInFolder } from './is-in-folder.ts';
import { isDataFile, type LaunchBases, type LaunchPath, launchPaths } from './launch-paths.ts';
import { realPath } from './real-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface LaunchFilesOptions extends LaunchBases {
  /** What `${env:NAME}` stands for. */
  readonly env: Environment;
}

/** Looks on the disk for everything of a vault that its entries name. */
export function vaultLaunchFiles({ env, ...bases }: LaunchFilesOptions): LaunchFiles {
  const hashes = new FileHashes();
  const { vaultFolder } = bases;
  return {
    of(server, { isFresh = false } = {}) {
      if (isFresh) hashes.forget();
      const vault: Vault = { folder: vaultFolder, real: realPath(vaultFolder) ?? vaultFolder };
      const named = pathsOf(expandVariables(server, env), bases);
      const files = [...withoutRepeated(named)].flatMap((path) => filesAt(path, vault, hashes));
      // `./My notes/x` is one path or two words; where the path exists, nobody means the words.
      const isHalf = ({ path, identity }: LaunchFile) =>
        identity === 'missing' && files.some((file) => file.path.startsWith(`${path} `));
      const whole = files.filter((file) => !isHalf(file));
      return [...new Map(whole.map((file) => [file.path, file])).values()];
    },
  };
}

function pathsOf(
  { deploymentType, localConfig, dockerConfig }: ServerConfig,
  bases: LaunchBases,
): readonly LaunchPath[] {
  const mounted = (mounts: readonly { readonly source: string }[] = []) =>
    mounts.map(({ source }) => ({
      path: resolve(bases.vaultFolder, source),
      isPlain: true,
      isFromVault: !isAbsolute(source),
    }));
  if (deploymentType === 'local' && localConfig) {
    return [...launchPaths(localConfig, bases), ...mounted(localConfig.sandbox?.mounts)];
  }
  return deploymentType === 'managed' ? mounted(dockerConfig?.mounts) : [];
}

/** An absolute path is the same from every folder. */
function withoutRepeated(paths: readonly LaunchPath[]): Iterable<LaunchPath> {
  const keyOf = ({ path, isPlain, isFromVault }: LaunchPath) => `${isPlain} ${isFromVault} ${path}`;
  return new Map(paths.map((path) => [keyOf(path), path])).values();
}

interface Vault {
  readonly folder: string;
  readonly real: string;
}

/** What programs add to a name: for `./main` and for a folder `main`, Node looks for `main.js` first. */
const extensions = ' .js .cjs .mjs .ts .json .node .py .sh .exe .cmd .bat .com .ps1'.split(' ');

/** What lies at a path, or is taken for it, if that is in the vault by its name or by where it leads. */
function filesAt(named: LaunchPath, vault: Vault, hashes: FileHashes): readonly LaunchFile[] {
  // A path elsewhere matters only if it leads into the vault, which one look-up decides for all extensions.
  const isNear = named.isFromVault || isInVault(named.path, vault);
  const found = (isNear ? extensions : ['']).flatMap((extension) => {
    const path = named.path + extension;
    const real = path.includes('\0') ? undefined : realPath(path);
    const name = nameOf({ ...named, path }, vault, real);
    if (real === undefined || name === undefined) return [];
    const isLinkOut = isInVault(path, vault) && !isInFolder(vault.real, real);
    return { path: name, identity: isLinkOut ? `link to ${real}` : identityOf(real, hashes) };
  });
  const name = nameOf(named, vault);
  if (found.length > 0 || !named.isPlain || name === undefined) return found;
  return [{ path: name, identity: isDataFile(name) ? 'unchecked' : 'missing' }];
}

/** A path relative to the vault; undefined when it is unrelated to it. */
function nameOf(
  { path, isFromVault }: LaunchPath,
  vault: Vault,
  real?: string,
): string | undefined {
  const base = [vault.folder, vault.real].find((folder) => isInFolder(folder, path));
  const isReal = base === undefined && real !== undefined && isInFolder(vault.real, real);
  if (base === undefined && !isReal && !isFromVault) return undefined;
  const inside = isReal ? relative(vault.real, real) : relative(base ?? vault.folder, path);
  return inside.split(sep).join('/') || '.';
}

function isInVault(path: string, vault: Vault): boolean {
  return isInFolder(vault.folder, path) || isInFolder(vault.real, path);
}

function identityOf(real: string, hashes: FileHashes): string {
  const found = statSync(real, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  if (found.isDirectory()) return 'folder';
  return (isDataFile(real) ? undefined : hashes.of(real, found)) ?? 'unchecked';
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

/** Secrets are not expanded, because the vault does not control them. */
function expandVariables(server: ServerConfig, env: Environment): ServerConfig {
  return mapTexts(server, (text) =>
    text.replace(/\$\{env:([^{}]*)\}/g, (reference, name: string) => env[name] ?? reference),
  );
}

/** Larger files are not read, because hashing them would delay the start of the server. */
const maxBytes = 256 * 1024 * 1024;

const chunkBytes = 256 * 1024;

/** The SHA-256 of a regular file's content; nothing for anything else, and for what cannot be read. */
function hashFile(path: string): string | undefined {
  let file: number | undefined;
  try {
    // Non-blocking: opening a pipe without a writer would never return.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    return hashOpenFile(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function hashOpenFile(file: number): string | undefined {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let total = 0;
  for (;;) {
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) return hash.digest('hex');
    total += length;
    // It may grow while it is read.
    if (total > maxBytes) return undefined;
    hash.update(chunk.subarray(0, length));
  }
}
