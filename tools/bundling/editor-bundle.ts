import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OutputOptions, Plugin, RolldownOptions } from 'rolldown';

const yaml = join(createRequire(import.meta.url).resolve('yaml/package.json'), '..');

/** What an extension of an editor is bundled from, and where to. */
interface EditorBundle {
  readonly home: string;
  /** Modules that the editor brings. */
  readonly external: readonly (string | RegExp)[];
  /** How much may be loaded when the extension starts. */
  readonly mostBytes: number;
  /** Whether what is needed later stands in files of its own; an editor may load one file only. */
  readonly isSplit?: boolean;
  /** What stands beside the bundle in a release, by name; a path is read from the home. */
  readonly files: Readonly<Record<string, string>>;
  /** Why a bundle cannot be used in the editor; nothing if it can. */
  readonly refuse: (code: string) => string | undefined;
}

/** How an extension of an editor is bundled: CommonJS, as small as it gets, with the files of its release beside it. */
export function editorBundle(options: EditorBundle): RolldownOptions & { output: OutputOptions } {
  const { home, external, isSplit = false } = options;
  return {
    input: join(home, 'src/main.ts'),
    platform: 'node',
    plugins: [noCodeFromSchemas, noJsonSchemasFromZod, releaseFolder(options)],
    // A native add-on cannot be part of a bundle; secrets are the editor's.
    external: [...external, '@napi-rs/keyring'],
    // Older packages name their ES modules here; their CommonJS cannot always be bundled.
    resolve: {
      mainFields: ['module', 'main'],
      alias: {
        // Its build for Node looks into the environment at every word that it reads.
        yaml: join(yaml, 'browser/index.js'),
      },
    },
    treeshake: {
      // Each only returns a new schema or a description of a tool: unused ones of the libraries are left out.
      manualPureFunctions: [
        'z',
        'createProviderDefinedToolFactory',
        'createProviderDefinedToolFactoryWithOutputSchema',
        'createProviderExecutedToolFactory',
      ],
      // Its modules write only to what they export themselves.
      moduleSideEffects: [{ test: /[\\/]node_modules[\\/]yaml[\\/]/, sideEffects: false }],
    },
    transform: { target: 'es2022' },
    output: {
      dir: join(home, 'dist'),
      entryFileNames: 'main.js',
      chunkFileNames: 'parts/[name].js',
      codeSplitting: isSplit,
      // A part of an earlier build would be released with it.
      cleanDir: isSplit,
      format: 'cjs',
      exports: 'named',
      dynamicImportInCjs: false,
      // One character outside of ASCII, and the engine keeps the whole text with two bytes for each.
      charset: 'ascii',
      minify: true,
      // Annotations for bundlers are of no use in the last bundle; notices of licences stay.
      comments: { legal: true, annotation: false, jsdoc: false },
    },
  };
}

/** Puts what a release consists of beside the bundle, and refuses one that grew too large or that the editor cannot load. */
function releaseFolder({ home, mostBytes, files, refuse }: EditorBundle): Plugin {
  return {
    name: 'release-folder',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const { fileName, code } of chunks) {
        const reason = refuse(code);
        if (reason !== undefined) this.error(`${fileName} ${reason}.`);
      }
      const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
      for (const { imports } of loaded) {
        for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
      }
      const bytes = [...loaded].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
      if (bytes > mostBytes) {
        this.error(`${bytes} bytes are loaded when it starts; they may be ${mostBytes}.`);
      }
      for (const [fileName, path] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(home, path)) });
      }
    },
  };
}

/**
 * MCP's client brings a validator that makes code out of schemas. The host gives it another, so this one is
 * never made; a sixth of the bundle, and a thing that reviewers of extensions look for.
 */
const noCodeFromSchemas: Plugin = {
  name: 'no-code-from-schemas',
  resolveId: (id) => (id === '@modelcontextprotocol/client/_shims' ? '\0mcp-shims' : null),
  load: (id) =>
    id === '\0mcp-shims'
      ? `export const CORS_IS_POSSIBLE = false;
         export class DefaultJsonSchemaValidator {
           constructor() { throw new Error('The host brings its own validator.'); }
         }`
      : null,
};

const jsonSchemaModules =
  /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;

/**
 * Zod can turn its schemas into JSON schemas, and every schema names the functions for that. Nothing here
 * asks for it, since tools bring JSON schemas of their own; only `aggregateChecks` has other uses.
 */
const noJsonSchemasFromZod: Plugin = {
  name: 'no-json-schemas-from-zod',
  resolveId: (id) => (id.endsWith('?whole') ? id : null),
  load(id) {
    if (id.endsWith('?whole')) return readFileSync(id.slice(0, -'?whole'.length), 'utf8');
    if (!jsonSchemaModules.test(id)) return null;
    const source = readFileSync(id, 'utf8');
    const names = Array.from(
      source.matchAll(/^export (?:const|function) (\w+)/gm),
      ([, name]) => name,
    );
    const exported = names.map((name) => {
      if (name === 'aggregateChecks')
        return `export { ${name} } from ${JSON.stringify(`${id}?whole`)};`;
      return `export { ${name?.startsWith('create') ? 'refuseLater' : 'refuse'} as ${name} };`;
    });
    return `const refuse = () => { throw new Error('Schemas stay as they are here.'); };
      const refuseLater = () => refuse;
      ${exported.join('\n')}`;
  },
};
