/** The parts of a lock file (version 3) that this tool reads and writes. */
export interface LockFile {
  readonly packages: Record<string, LockEntry>;
}

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

type Ranges = Readonly<Record<string, string>>;

/** The part of a package's manifest that its lock entry repeats. */
export type Manifest = Pick<
  LockEntry,
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies'
>;

/**
 * The lock entries npm leaves out when a registry does not serve another platform's binary package.
 * `npm ci` refuses a lock without them, although it would never install them here.
 */
export function missingPlatformPackages(lock: LockFile): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock, path, name)) continue;
      const { cpu, libc, os } = platformFromName(name);
      // In npm's own order of keys, so that the next `npm install` changes nothing.
      missing[`node_modules/${name}`] = {
        version,
        ...(cpu && { cpu }),
        ...(entry.dev && { dev: true }),
        ...(libc && { libc }),
        optional: true,
        ...(os && { os }),
      };
    }
  }
  return missing;
}

/** The lock with those entries added. */
export function completeLock<Lock extends LockFile>(lock: Lock): Lock {
  const packages = Object.entries({ ...lock.packages, ...missingPlatformPackages(lock) });
  packages.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Lock entries that say where they were downloaded from; a lock must work with any registry. */
export function entriesWithHosts(lock: LockFile): string[] {
  return Object.entries(lock.packages)
    .filter(([, entry]) => entry.link !== true && entry.resolved !== undefined)
    .map(([path]) => path);
}

/** Installed packages whose contents the lock does not pin, as `[path, name@version]`. */
export function entriesWithoutIntegrity(lock: LockFile): [path: string, package_: string][] {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity)
    .map(([path, entry]) => [path, `${path.split('node_modules/').at(-1)}@${entry.version}`]);
}

/** Of those, the ones that are installed on every system: `npm run lock` always gets their integrity. */
export function unpinnedEntries(lock: LockFile): string[] {
  return entriesWithoutIntegrity(lock)
    .map(([path]) => path)
    .filter((path) => {
      const { optional, os, cpu } = lock.packages[path] ?? {};
      return !(optional && (os ?? cpu));
    });
}

/** What a lock does not say, or says differently, of the manifests by folder ('' is the root). */
export function staleEntries(
  lock: LockFile,
  manifests: Readonly<Record<string, Manifest>>,
): string[] {
  const problems: string[] = [];
  for (const [folder, manifest] of Object.entries(manifests)) {
    for (const section of sections) {
      const wanted = manifest[section] ?? {};
      const locked = lock.packages[folder]?.[section] ?? {};
      for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
        if (wanted[name] === locked[name]) continue;
        problems.push(
          `${folder === '' ? '' : `${folder}/`}package.json wants ${name} ${wanted[name] ?? 'no more'}; the lock says ${locked[name] ?? 'nothing'}.`,
        );
      }
    }
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.devDependencies })) {
      if (!isLocked(lock, path, name)) problems.push(`${name}, needed by ${path}, is missing.`);
    }
  }
  return problems;
}

const sections = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
] as const;

function isLocked(lock: LockFile, from: string, name: string): boolean {
  for (let folder = from; ; folder = parentFolder(folder)) {
    if (lock.packages[`${folder}${folder === '' ? '' : '/'}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

function parentFolder(path: string): string {
  const nested = path.lastIndexOf('/node_modules/');
  return nested === -1 ? '' : path.slice(0, nested);
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
];
const processors = ['arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'arm'];

/** Reads `…-linux-arm64-musl` as os, cpu and libc; the package itself cannot be asked. */
function platformFromName(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  if (words.includes('wasm32')) return { cpu: ['wasm32'] };
  const os = words.some((word) => word === 'win32' || word === 'windows')
    ? 'win32'
    : systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (os === undefined) throw new Error(`Cannot read a platform from the package name ${name}`);
  return {
    os: [os],
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...libcFrom(os, words),
  };
}

function libcFrom(os: string, words: readonly string[]): Pick<LockEntry, 'libc'> {
  if (os !== 'linux') return {};
  if (words.some((word) => word.startsWith('musl'))) return { libc: ['musl'] };
  return words.some((word) => word.startsWith('gnu')) ? { libc: ['glibc'] } : {};
}
