import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin, RolldownOptions } from 'rolldown';

const home = import.meta.dirname;
const mostBytes = 1_500_000;
const yaml = join(createRequire(import.meta.url).resolve('yaml/package.json'), '..');

/** What Electron 28 lacks, the oldest on which Obsidian 1.11.4 runs. */
const tooNew =
  /\bURL\.parse\(|\bcrypto\w*\.hash\(|\b(?:Array\.fromAsync|Promise\.try|RegExp\.escape|Iterator\.from)\(|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|find|flatMap|take|drop|reduce|forEach)\(/;

/** Puts what a release consists of beside the bundle, and refuses one that grew too large or that the app cannot load. */
const releaseFolder: Plugin = {
  name: 'release-folder',
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) {
      const bytes = output.type === 'chunk' ? Buffer.byteLength(output.code) : 0;
      if (bytes > mostBytes) {
        this.error(`${output.fileName} has ${bytes} bytes; the plugin may have ${mostBytes}.`);
      }
      if (output.type === 'chunk' && /(?<![\w$.])import\(/.test(output.code)) {
        this.error(`${output.fileName} loads a module by import(), which the app cannot do.`);
      }
      const newer = output.type === 'chunk' ? tooNew.exec(output.code)?.[0] : undefined;
      if (newer !== undefined) {
        this.error(`${output.fileName} uses ${newer}, which the oldest engine of the app lacks.`);
      }
    }
    for (const path of ['manifest.json', 'styles.css', '../../LICENSE']) {
      const source = readFileSync(join(home, path));
      this.emitFile({ type: 'asset', fileName: basename(path), source });
    }
  },
};

/**
 * MCP's client brings a validator that makes code out of schemas. The host gives it another, so this one is
 * never made; a sixth of the bundle, and a thing that reviewers of plugins look for.
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

/** The plugin as Obsidian loads it: one CommonJS file; the editor's modules are those of Obsidian. */
const bundle: RolldownOptions = {
  input: join(home, 'src/main.ts'),
  platform: 'node',
  plugins: [noCodeFromSchemas, noJsonSchemasFromZod, releaseFolder],
  // A native add-on cannot be part of a bundle; secrets are Obsidian's here.
  external: ['obsidian', 'electron', /^@codemirror\//, /^@lezer\//, '@napi-rs/keyring'],
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
  transform: {
    target: 'es2022',
    // Those of the window are late by a minute while it is minimised; what draws uses `window` by name.
    inject: {
      setTimeout: ['node:timers', 'setTimeout'],
      clearTimeout: ['node:timers', 'clearTimeout'],
      setInterval: ['node:timers', 'setInterval'],
      clearInterval: ['node:timers', 'clearInterval'],
    },
  },
  output: {
    dir: join(home, 'dist'),
    entryFileNames: 'main.js',
    codeSplitting: false,
    format: 'cjs',
    exports: 'named',
    // The app's renderer cannot load a module by `import()`.
    dynamicImportInCjs: false,
    // One character outside of ASCII, and the engine keeps the whole text with two bytes for each.
    charset: 'ascii',
    minify: true,
    // Annotations for bundlers are of no use in the last bundle; notices of licences stay.
    comments: { legal: true, annotation: false, jsdoc: false },
  },
};

export default bundle;
