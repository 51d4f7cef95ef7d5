import { existsSync, globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { copyDeclarations } from './copy-declarations.ts';
import type { PublicPackage } from './public-packages.ts';
import { type Manifest, readManifest } from './read-manifest.ts';

interface LibraryEntry {
  /** As in `exports`. */
  readonly name: string;
  readonly script: string;
  readonly types: string;
}

interface Workspace {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What libraries use and Node 20 lacks; a library must not change the globals of its user. */
const node20 = join(import.meta.dirname, 'node-20.ts');

/** Bundles a library with the unpublished packages that it uses, and collects its types, which `tsc -b` has made. */
export async function bundleLibrary(root: string, published: PublicPackage, target: string) {
  const workspaces = readWorkspaces(root);
  const { exports: sources = {} } = readManifest(join(root, published.folder));
  const names = published.entries ?? ['.'];
  const scripts = new Map(names.map((name) => [name, name === '.' ? 'index' : name.slice(2)]));
  const imported = await bundleScripts(
    Object.fromEntries(
      names.map((name) => [scripts.get(name), join(root, published.folder, sources[name] ?? '')]),
    ),
    join(target, 'dist'),
  );
  const entries = names.map((name): LibraryEntry => {
    const { entry, externals } = copyDeclarations({
      root,
      entry: declarationOf(root, published.folder, sources[name] ?? ''),
      to: join(target, 'dist/types'),
      ours: (specifier) => findOurs(root, workspaces, specifier),
    });
    for (const external of externals) imported.add(external);
    return { name, script: `./dist/${scripts.get(name)}.js`, types: `./dist/types/${entry}` };
  });
  return { entries, dependencies: dependenciesOf([...imported].sort(), workspaces) };
}

/** Returns the specifiers of what is not part of the bundle. */
async function bundleScripts(input: Record<string, string>, dir: string): Promise<Set<string>> {
  await using bundle = await rolldown({
    input,
    platform: 'node',
    transform: {
      target: 'node20',
      inject: {
        'Promise.withResolvers': [node20, 'withResolvers'],
        'Map.groupBy': [node20, 'groupBy'],
      },
    },
    // What syntax is lowered with is bundled too.
    external: (id) => !/^(?:@errand\/|@oxc-project\/runtime|[./])/.test(id),
  });
  const options = { dir, format: 'esm', sourcemap: true, chunkFileNames: '[name].js' } as const;
  const { output } = await bundle.write(options);
  const made = new Set(output.map(({ fileName }) => fileName));
  const imports = output.flatMap((part) =>
    part.type === 'chunk' ? [...part.imports, ...part.dynamicImports] : [],
  );
  return new Set(imports.filter((id) => !made.has(id)));
}

function readWorkspaces(root: string): readonly Workspace[] {
  return globSync('packages/*/package.json', { cwd: root }).map((path) => {
    const folder = dirname(path);
    return { folder, manifest: readManifest(join(root, folder)) };
  });
}

/** The declaration that an import of one of our packages stands for. */
function findOurs(root: string, workspaces: readonly Workspace[], specifier: string) {
  for (const { folder, manifest } of workspaces) {
    for (const [entry, source] of Object.entries(manifest.exports ?? {})) {
      if (`${manifest.name}${entry.slice(1)}` === specifier)
        return declarationOf(root, folder, source);
    }
  }
  return undefined;
}

/** Where `tsc -b` puts the types of a source file. */
function declarationOf(root: string, folder: string, source: string): string {
  const file = source.replace(/^\.\//, '').replace(/\.ts$/, '.d.ts');
  const whole = join(folder, '.types', file);
  return existsSync(join(root, whole)) ? whole : join(folder, '.types', file.replace(/^src\//, ''));
}

/** The packages that are imported, in the versions of whichever package here imports them. */
function dependenciesOf(specifiers: readonly string[], workspaces: readonly Workspace[]) {
  const known = Object.assign({}, ...workspaces.map(({ manifest }) => manifest.dependencies));
  const dependencies: Record<string, string> = {};
  for (const specifier of specifiers) {
    if (isBuiltin(specifier)) {
      // Types that mention Node's own need them.
      dependencies['@types/node'] = '>=20';
      continue;
    }
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [''];
    if (known[name] === undefined) throw new Error(`No manifest here names a version of ${name}.`);
    dependencies[name] = `^${known[name]}`;
  }
  return dependencies;
}
