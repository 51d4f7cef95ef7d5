import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLibrary } from './bundle-library.ts';
import { registryName } from './describe-server.ts';
import { bundledNodes, type PublicPackage } from './public-packages.ts';
import { type Manifest, readManifest } from './read-manifest.ts';

/** Lays out in `target` what is published of a package: JavaScript, types, a manifest without workspaces, README and license. */
export async function stagePackage(
  root: string,
  published: PublicPackage,
  target: string,
): Promise<Manifest> {
  const folder = join(root, published.folder);
  const manifest = readManifest(folder);
  mkdirSync(target, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  cpSync(join(folder, 'README.md'), join(target, 'README.md'));
  const parts =
    published.kind === 'program'
      ? stageProgram(root, folder, published, target)
      : await stageLibrary(root, published, target);
  const { name, version, description } = manifest;
  const staged = {
    name,
    version,
    description,
    license: 'MIT',
    type: 'module',
    ...(published.server && { mcpName: registryName(published) }),
    keywords: ['mcp', 'model-context-protocol', 'markdown', 'notes'],
    ...parts,
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
  return staged;
}

function stageProgram(root: string, folder: string, published: PublicPackage, target: string) {
  const { bin = {}, version } = readManifest(folder);
  cpSync(join(folder, 'dist'), join(target, 'dist'), {
    recursive: true,
    // A map for every bundle would be three quarters of what people download.
    filter: (path) => !path.endsWith('.map'),
  });
  mkdirSync(join(target, 'bin'), { recursive: true });
  cpSync(join(root, 'packages/launcher/launch.cjs'), join(target, 'bin/launch.cjs'));
  for (const path of Object.values(bin)) {
    const script = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(target, path), script.replace('@errand/launcher', './launch.cjs'));
    chmodSync(join(target, path), 0o755);
  }
  const native = versionsIn(root, published.optionalDependencies ?? []);
  const nodes = versionsIn(root, bundledNodes);
  const dependencies = Object.fromEntries(
    (published.dependencies ?? []).map((name) => [name, version] as const),
  );
  return {
    bin,
    files: ['bin', 'dist'],
    // Nothing is imported from a program; its folder is found by its manifest.
    exports: { './package.json': './package.json' },
    engines: { node: '>=20' },
    dependencies,
    optionalDependencies: { ...native, ...nodes },
  };
}

async function stageLibrary(root: string, published: PublicPackage, target: string) {
  const { entries, dependencies } = await bundleLibrary(root, published, target);
  const exports = Object.fromEntries(
    entries.map(({ name, types, script }) => [name, { types, default: script }] as const),
  );
  return {
    sideEffects: false,
    files: ['dist'],
    exports: { ...exports, './package.json': './package.json' },
    // The first that has `process.getBuiltinModule`.
    engines: { node: '>=20.16' },
    dependencies,
  };
}

/** The versions that this repository pins, from whichever manifest names the package. */
function versionsIn(root: string, names: readonly string[]): Record<string, string> {
  const manifests = [root, join(root, 'packages/machine')].map(readManifest);
  const known = Object.assign(
    {},
    ...manifests.map(({ dependencies, optionalDependencies }) => ({
      ...dependencies,
      ...optionalDependencies,
    })),
  ) as Record<string, string | undefined>;
  return Object.fromEntries(
    names.map((name) => {
      const version = known[name];
      if (version === undefined) throw new Error(`No manifest here names a version of ${name}.`);
      return [name, version] as const;
    }),
  );
}
