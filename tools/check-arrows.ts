import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ofApps: readonly string[] = [
  '@errand/assistant',
  '@errand/document',
  '@errand/files',
  '@errand/gateway',
  '@errand/hooks',
  '@errand/host',
  '@errand/jobs',
  '@errand/launcher',
  '@errand/machine',
  '@errand/mailroom',
  '@errand/owner',
  '@errand/services',
  '@errand/wire',
  '@errand/workspace',
];

/** What each package may depend on, by name or by the folder it stands in. ARCHITECTURE.md draws it. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  '@errand/document': [],
  '@errand/files': [],
  '@errand/jobs': [],
  '@errand/wire': [],
  '@errand/oauth': ['@errand/files', '@errand/wire'],
  '@errand/host': ['@errand/document', '@errand/wire'],
  '@errand/machine': [
    '@errand/document',
    '@errand/files',
    '@errand/host',
    '@errand/oauth',
    '@errand/wire',
  ],
  '@errand/gateway': ['@errand/document', '@errand/host', '@errand/wire'],
  '@errand/owner': ['@errand/files', '@errand/host', '@errand/wire'],
  // The workspace and the parts know hooks and the mailroom by their types alone.
  '@errand/workspace': [
    '@errand/assistant',
    '@errand/document',
    '@errand/hooks',
    '@errand/host',
    '@errand/mailroom',
    '@errand/wire',
  ],
  '@errand/assistant': ['@errand/document', '@errand/host'],
  '@errand/hooks': [
    '@errand/assistant',
    '@errand/document',
    '@errand/files',
    '@errand/host',
    '@errand/jobs',
    '@errand/wire',
  ],
  '@errand/mailroom': [
    '@errand/assistant',
    '@errand/document',
    '@errand/files',
    '@errand/host',
    '@errand/jobs',
    '@errand/wire',
  ],
  '@errand/parts': [
    '@errand/document',
    '@errand/hooks',
    '@errand/host',
    '@errand/wire',
    '@errand/workspace',
  ],
  // What an owner runs is put together here, with the adapters, for every app that owns a vault.
  '@errand/services': [
    '@errand/assistant',
    '@errand/files',
    '@errand/hooks',
    '@errand/host',
    '@errand/jobs',
    '@errand/machine',
    '@errand/mailroom',
    '@errand/owner',
    '@errand/wire',
  ],
  '@errand/server-kit': ['@errand/oauth', '@errand/wire'],
  '@errand/launcher': [],
  servers: ['@errand/server-kit', '@errand/document', '@errand/files', '@errand/launcher'],
  // The command line lists our servers because it starts their programs; nobody can import them.
  '@errand/cli': [
    '@errand/assistant',
    '@errand/document',
    '@errand/files',
    '@errand/gateway',
    '@errand/gmail',
    '@errand/hooks',
    '@errand/host',
    '@errand/jobs',
    '@errand/launcher',
    '@errand/machine',
    '@errand/mailroom',
    '@errand/oauth',
    '@errand/owner',
    '@errand/services',
    '@errand/vault',
    '@errand/wire',
    '@errand/workbench',
    '@errand/workspace',
  ],
  // Besides the page, only webviews of editors use the parts.
  '@errand/workbench': [...ofApps, '@errand/parts'],
  '@errand/vscode': [...ofApps, '@errand/parts'],
  apps: ofApps,
};

/** What the tests of these packages may use besides: real processes come from the adapters. */
const allowedInTests: Readonly<Record<string, readonly string[]>> = {
  '@errand/gateway': ['@errand/machine'],
  '@errand/assistant': ['@errand/machine'],
  '@errand/hooks': ['@errand/machine'],
  '@errand/owner': ['@errand/machine'],
  '@errand/workspace': ['@errand/machine'],
};

/** The one program that another imports: the command line starts the workbench. */
const imported = '@errand/workbench';

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const problems: string[] = [];
for (const path of globSync('{packages,servers,apps}/*/package.json')) {
  const layer = path.split(/[\\/]/)[0] ?? '';
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const permitted = allowed[manifest.name] ?? allowed[layer];
  if (permitted === undefined) {
    problems.push(`${path}: ${manifest.name} has no place in the table of tools/check-arrows.ts`);
    continue;
  }
  const inTests = allowedInTests[manifest.name] ?? [];
  const forbidden = [
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    ...Object.keys(manifest.devDependencies ?? {}).filter((name) => !inTests.includes(name)),
  ].filter((name) => name.startsWith('@errand/') && !permitted.includes(name));
  for (const name of forbidden) {
    problems.push(`${path}: ${manifest.name} may not depend on ${name}`);
  }
  if (layer !== 'packages' && manifest.name !== imported && manifest.exports?.['.'] !== undefined) {
    problems.push(
      `${path}: ${manifest.name} is a program; nobody imports it, so it exports no "."`,
    );
  }
}

// A path into a neighbour passes the compiler (it is a referenced project) and every manifest check.
const relativeImport = /\bfrom '(\.[^']*)'|\bimport\('(\.[^']*)'\)|\bimport '(\.[^']*)'/g;
for (const path of globSync('{packages,servers,apps}/*/src/**/*.{ts,tsx}')) {
  const home = path.split(/[\\/]/).slice(0, 2).join('/');
  for (const [, ...found] of readFileSync(path, 'utf8').matchAll(relativeImport)) {
    const target = join(dirname(path), found.find((name) => name !== undefined) ?? '');
    if (!relative(home, target).startsWith('..')) continue;
    problems.push(`${path}: imports ${target} by path; import the package by its name`);
  }
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
