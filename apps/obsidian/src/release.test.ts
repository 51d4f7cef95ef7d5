import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };
import pluginBundle from '../rolldown.config.ts';
import { buildRelease } from './testing/build-release.ts';

const home = mkdtempSync(join(tmpdir(), 'errand-release-'));
const release = join(home, 'release');
const read = (name: string, folder = release) => readFileSync(join(folder, name), 'utf8');

beforeAll(() => buildRelease(release));
afterAll(() => rmSync(home, { recursive: true }));

test('consists of the files that Obsidian loads, and the licence', () => {
  expect(readdirSync(release).sort()).toEqual([
    'LICENSE',
    'main.js',
    'manifest.json',
    'styles.css',
  ]);
  expect(JSON.parse(read('manifest.json'))).toEqual(manifest);
  expect(read('LICENSE')).toContain('MIT License');
});

test('is the same to the byte when it is built again', async () => {
  const again = join(home, 'again');
  await buildRelease(again);
  for (const name of readdirSync(release)) expect(read(name, again)).toBe(read(name));
});

test.each([
  ["export const load = () => import('node:https');", /loads a module by import\(\)/],
  ['export const at = (text) => URL.parse(text);', /uses URL\.parse\(/],
  [
    `export const text = '${'x'.repeat(1_500_000)}';`,
    /bytes are loaded when it starts; they may be 1500000/,
  ],
])('refuses to be built with %.70s', async (source, reason) => {
  const input = join(home, 'planted.js');
  writeFileSync(input, source);
  const output = { ...pluginBundle.output, dynamicImportInCjs: true };
  await expect(buildRelease(join(home, 'refused'), { input, output })).rejects.toThrow(reason);
});

test('loads modules of Node with require, never with a native import', () => {
  expect(read('main.js').match(/\bimport\s*\(.{60}/g)).toBeNull();
});

test('needs nothing but Obsidian and Node to load', () => {
  class Named {}
  const obsidian = new Proxy({}, { get: () => Named });
  // The editor's modules are those that Obsidian has.
  const load = createRequire(import.meta.url);
  const needed = new Set<string>();
  const require = (name: string): unknown => {
    needed.add(name);
    return name === 'obsidian' ? obsidian : load(name);
  };
  const module: { exports: { default?: unknown } } = { exports: {} };
  compileFunction(read('main.js'), ['require', 'module', 'exports'])(
    require,
    module,
    module.exports,
  );
  expect(module.exports.default).toBeTypeOf('function');
  const own = [...needed].filter((name) => !isBuiltin(name));
  expect(
    own.filter((name) => !/^(obsidian|@codemirror\/(commands|language|state|view))$/.test(name)),
  ).toEqual([]);
});

test('evaluates no text as code or HTML', () => {
  const main = read('main.js');
  expect(main).not.toMatch(/\beval\(|\bnew Function\b|\bdocument\.write/);
  expect(main).not.toMatch(/\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\b/);
  // zod asks once whether it might, and the answer is not used for anything that comes from outside.
  expect(main.match(/\bFunction\(/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

/** Addresses in the bundle, and what they are there for. None of them is called on the plugin's own account. */
const addresses: Readonly<Record<string, string>> = {
  'http://127.0.0.1': 'a container or gateway on this computer',
  'http://json-schema.org': 'the name of a schema language',
  'https://json-schema.org': 'the name of a schema language',
  'https://github.com': 'a base for relative references in schemas, in @cfworker/json-schema',
  'https://host.example': 'an example in a message',
  'https://ai.google.dev': 'help that messages of the AI SDK name',
  'https://api.anthropic.com': 'an assistant of this provider, when a person has set one up',
  'https://api.openai.com': 'an assistant of this provider, when a person has set one up',
  'https://docs.cloud.google.com': 'help that messages of the AI SDK name',
  'https://generativelanguage.googleapis.com':
    'an assistant of this provider, when a person has set one up',
  'https://index.docker.io': 'the name under which Docker keeps the password of its hub',
};

test('contains only known URLs', () => {
  const found = read('main.js').match(/\bhttps?:\/\/[\w.-]+/g) ?? [];
  expect([...new Set(found)].filter((address) => !(address in addresses))).toEqual([]);
  expect(read('main.js')).not.toMatch(
    /sentry|posthog|mixpanel|amplitude|google-analytics|segment\.io/i,
  );
});

test('styles with the variables of the theme only', () => {
  const rules = read('styles.css').replace(/\/\*.*?\*\//gs, '');
  expect(rules).not.toContain('!important');
  expect(rules).not.toMatch(/@import|url\(/);
  const values = [...rules.matchAll(/[\w-]+:\s*([^;{}]+);/g)].map(([, value = '']) =>
    value.replace(/var\(--[\w-]+\)/g, ''),
  );
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => colour.test(value))).toEqual([]);
});

const colour =
  /#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|\b(black|white|red|green|blue|yellow|orange|purple|gr[ae]y|silver|pink|brown|cyan|magenta)\b/i;
