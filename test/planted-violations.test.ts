import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScratchCopy } from './scratch-copy.ts';

/** A mistake a developer could make, the step of `npm run check` that must see it, and its words. */
interface Plant {
  readonly mistake: string;
  readonly path: string;
  readonly text: string;
  readonly step: 'types' | 'lint' | 'obsidian' | 'dead-code' | 'arrows' | 'lengths' | 'sentences';
  readonly says: RegExp;
}

const plants: readonly Plant[] = [
  {
    mistake: 'a type error',
    path: 'packages/host/src/planted-type-error.ts',
    text: "export const count: number = 'one';\n",
    step: 'types',
    says: /planted-type-error\.ts.*TS2322/,
  },
  {
    mistake: 'a Node global in the pure package',
    path: 'packages/document/src/planted-global.ts',
    text: 'export const folder = process.cwd();\n',
    step: 'types',
    says: /planted-global\.ts.*TS(2591|2580|2304)/,
  },
  {
    mistake: 'a Node module in the pure package',
    path: 'packages/document/src/planted-node.ts',
    text: "import { readFileSync } from 'node:fs';\n\nexport const text = readFileSync('x');\n",
    step: 'lint',
    says: /planted-node\.ts.*noNodejsModules/,
  },
  {
    mistake: 'an arrow upward, from document to host',
    path: 'packages/document/src/planted-arrow.ts',
    text: "export { HostError } from '@errand/host';\n",
    step: 'lint',
    says: /planted-arrow\.ts.*noUndeclaredDependencies/,
  },
  {
    mistake: 'a dependency that no manifest declares',
    path: 'packages/document/src/planted-undeclared.ts',
    text: "export { z } from 'zod';\n",
    step: 'lint',
    says: /planted-undeclared\.ts.*noUndeclaredDependencies/,
  },
  {
    mistake: "the editor's API outside its folder of the Obsidian plugin",
    path: 'apps/obsidian/src/planted-obsidian.ts',
    text: "export { Notice } from 'obsidian';\n",
    step: 'lint',
    says: /planted-obsidian\.ts.*noRestrictedImports/,
  },
  {
    mistake: "the editor's API outside its folder of the VS Code extension",
    path: 'apps/vscode/src/planted-vscode.ts',
    text: "export { window } from 'vscode';\n",
    step: 'lint',
    says: /planted-vscode\.ts.*noRestrictedImports/,
  },
  {
    mistake: 'an API of VS Code that is newer than the oldest editor we support',
    path: 'apps/vscode/src/vscode/planted-newer.ts',
    text: "import { lm } from 'vscode';\n\nexport const gateway = () => lm.startMcpGateway();\n",
    step: 'types',
    says: /planted-newer\.ts.*TS2339/,
  },
  {
    mistake: 'MCP in the core of the host',
    path: 'packages/host/src/planted-mcp.ts',
    text: "export { Client } from '@modelcontextprotocol/client';\n",
    step: 'lint',
    says: /planted-mcp\.ts.*noRestrictedImports/,
  },
  {
    mistake: 'a Node module in the core of the host',
    path: 'packages/host/src/registry/planted-node.ts',
    text: "export { readFileSync } from 'node:fs';\n",
    step: 'lint',
    says: /registry\/planted-node\.ts.*noRestrictedImports/,
  },
  {
    mistake: 'an adapter in the workspace',
    path: 'packages/workspace/src/planted-adapter.ts',
    text: "export { openVaultHost } from '@errand/machine/vault';\n",
    step: 'lint',
    says: /planted-adapter\.ts.*noRestrictedImports/,
  },
  {
    mistake: 'a deep import',
    path: 'packages/host/src/planted-deep.ts',
    text: "export * from '@errand/document/src/index.ts';\n",
    step: 'types',
    says: /planted-deep\.ts.*TS2307/,
  },
  {
    mistake: 'an import by path across packages',
    path: 'packages/host/src/planted-across.ts',
    text: "export * from '../../document/src/index.ts';\n",
    step: 'arrows',
    says: /planted-across\.ts: imports .*document.* by path/,
  },
  {
    mistake: 'importing a program',
    path: 'apps/cli/src/planted-program.ts',
    text: "export * from '@errand/vault';\n",
    step: 'types',
    says: /planted-program\.ts.*TS2307/,
  },
  {
    mistake: 'a cycle',
    path: 'packages/host/src/planted-cycle.ts',
    text: "export { two } from './planted-cycle-back.ts';\n\nexport const one = 1;\n",
    step: 'lint',
    says: /planted-cycle\.ts.*noImportCycles/,
  },
  {
    mistake: 'the other half of the cycle',
    path: 'packages/host/src/planted-cycle-back.ts',
    text: "export { one } from './planted-cycle.ts';\n\nexport const two = 2;\n",
    step: 'lint',
    says: /planted-cycle-back\.ts.*noImportCycles/,
  },
  {
    mistake: 'a promise nobody waits for',
    path: 'packages/host/src/planted-floating.ts',
    text: 'export function start(work: () => Promise<void>): void {\n  work();\n}\n',
    step: 'lint',
    says: /planted-floating\.ts.*noFloatingPromises/,
  },
  {
    mistake: 'a file name that is not kebab-case',
    path: 'packages/host/src/PlantedName.ts',
    text: 'export const name = 1;\n',
    step: 'lint',
    says: /PlantedName\.ts.*useFilenamingConvention/,
  },
  {
    mistake: 'a file that is not formatted',
    path: 'packages/host/src/planted-format.ts',
    text: 'export const  spaced = 1\n',
    step: 'lint',
    says: /planted-format\.ts format/,
  },
  {
    mistake: 'a file nobody uses',
    path: 'packages/host/src/planted-unused.ts',
    text: 'export const unused = 1;\n',
    step: 'dead-code',
    says: /Unused files[\s\S]*planted-unused\.ts/,
  },
  {
    mistake: 'an export nobody uses',
    path: 'test/planted-export.ts',
    text: 'export const used = 1;\nexport const forgotten = 2;\n',
    step: 'dead-code',
    says: /Unused exports[\s\S]*forgotten +test\/planted-export\.ts/,
  },
  {
    mistake: 'a default hotkey in Obsidian, against its rules for plugins',
    path: 'apps/obsidian/src/obsidian/planted-hotkey.ts',
    text: "import type { Plugin } from 'obsidian';\n\nexport const add = (plugin: Plugin) =>\n  plugin.addCommand({ id: 'run', name: 'Run', hotkeys: [{ modifiers: ['Mod'], key: 'r' }] });\n",
    step: 'obsidian',
    says: /planted-hotkey\.ts[\s\S]*no-default-hotkeys/,
  },
  {
    mistake: 'a file of 400 lines',
    path: 'packages/host/src/planted-long.ts',
    text: '//\n'.repeat(400),
    step: 'lengths',
    says: /planted-long\.ts: 400 lines/,
  },
  {
    mistake: 'a library that names a command',
    path: 'packages/host/src/planted-command.ts',
    text: "export const advice = 'Enable it with: errand servers enable a';\n",
    step: 'sentences',
    says: /planted-command\.ts:1: a library names the command "errand servers"/,
  },
  {
    mistake: 'a library that names an option',
    path: 'packages/gateway/src/planted-option.ts',
    text: 'export const advice = `The port is taken. Leave out --no-token.`;\n',
    step: 'sentences',
    says: /planted-option\.ts:1: a library names the option "--no-token"/,
  },
  {
    mistake: 'a library that names a button',
    path: 'packages/workspace/src/planted-button.ts',
    text: "export const advice = 'Press Run on its card.';\n",
    step: 'sentences',
    says: /planted-button\.ts:1: a library names the button "Press"/,
  },
  {
    mistake: 'code that reads meaning out of a sentence',
    path: 'apps/workbench/src/api/planted-reading.ts',
    text: "export const isGone = (error: Error) => error.message.includes('gone');\n",
    step: 'sentences',
    says: /planted-reading\.ts:1: reads meaning out of a message/,
  },
  {
    mistake: 'a pattern over a sentence',
    path: 'apps/obsidian/src/planted-pattern.ts',
    text: 'export const isGone = ({ message }: Error) => /gone/.test(message);\n',
    step: 'sentences',
    says: /planted-pattern\.ts:1: reads meaning out of a message/,
  },
  {
    mistake: 'a kind of advice that a face does not render',
    path: 'apps/cli/src/planted-advice.ts',
    text: "import type { AdviceRenderer } from '@errand/workspace/advice';\n\nexport const advice: AdviceRenderer = { 'list-servers': () => 'See them.' };\n",
    step: 'types',
    says: /planted-advice\.ts.*TS2740/,
  },
  {
    mistake: 'a page that asks for a route that is not there',
    path: 'apps/workbench/src/page/planted-path.ts',
    text: "import { api } from './model/api.ts';\n\nexport const notes = () => api.nots.$get();\n",
    step: 'types',
    says: /planted-path\.ts.*TS2551: Property 'nots' does not exist/,
  },
  {
    mistake: 'a page that uses a method that a route does not have',
    path: 'apps/workbench/src/page/planted-method.ts',
    text: "import { api } from './model/api.ts';\n\nexport const notes = () => api.notes.$post();\n",
    step: 'types',
    says: /planted-method\.ts.*TS2339: Property '\$post' does not exist/,
  },
  {
    mistake: 'a page that sends a body that its route does not take',
    path: 'apps/workbench/src/page/planted-body.ts',
    text: "import { api } from './model/api.ts';\n\nexport const reset = () => api.sessions.reset.$post({ json: { id: 1 } });\n",
    step: 'types',
    says: /planted-body\.ts.*TS2322: Type 'number' is not assignable to type 'string'/,
  },
  {
    mistake: 'a page that reads a field that its route does not answer with',
    path: 'apps/workbench/src/page/planted-answer.ts',
    text: "import { api } from './model/api.ts';\n\nexport const made = async () => (await api.link.$post()).url;\n",
    step: 'types',
    says: /planted-answer\.ts.*TS2339: Property 'url' does not exist/,
  },
  {
    mistake: 'a route that reads a field that its body does not have',
    path: 'apps/workbench/src/api/planted-route.ts',
    text: "import { Hono } from 'hono';\nimport { z } from 'zod';\nimport { answer } from './http/answer.ts';\nimport { validBody } from './http/validate.ts';\n\nexport const routes = new Hono().post('/', validBody(z.strictObject({ id: z.string() })), (context) =>\n  answer(context, { name: context.req.valid('json').name }),\n);\n",
    step: 'types',
    says: /planted-route\.ts.*TS2339: Property 'name' does not exist/,
  },
  {
    mistake: 'a route that answers with another shape than the page reads',
    path: 'apps/workbench/src/api/planted-shape.ts',
    text: "import type { InferResponseType } from 'hono/client';\nimport { hc } from 'hono/client';\nimport type { SecretList } from '../contract.ts';\nimport type { Api } from './api-routes.ts';\n\nconst api = hc<Api>('/api');\nexport const secrets: SecretList = {} as InferResponseType<typeof api.calls.$get>;\n",
    step: 'types',
    says: /planted-shape\.ts.*TS2739/,
  },
];

const steps = [...new Set(plants.map((plant) => plant.step))];
/** What mistakes are planted beside without needing it; to check it takes most of the time. */
const besides = [
  /\.test\.ts$/,
  /^(docs|examples)\//,
  /^test\/.*\.ts$/,
  /^tools\/(?!bundling|check|lock)/,
  /^(servers\/\w+|apps\/(cli|obsidian|vscode))\/src\//,
];
const scratch = new ScratchCopy((path) => !besides.some((pattern) => pattern.test(path)));
/** Where each mistake is made alone, and undone. */
const clean = new ScratchCopy();
let output = '';

beforeAll(() => {
  for (const { path, text } of plants) scratch.write(path, text);
  scratch.write('test/planted.test.ts', "import { used } from './planted-export.ts';\n\nused;\n");
  output = scratch.check(...steps).output;
}, 300_000);

afterAll(() => {
  scratch[Symbol.dispose]();
  clean[Symbol.dispose]();
});

test.each(plants)('npm run check sees $mistake', ({ step, says }) => {
  expect(output).toContain(`FAILED ${step}`);
  expect(output).toMatch(says);
});

test('a file of 250 lines is remarked upon and passes', () => {
  using _ = clean.write('packages/host/src/planted-longish.ts', '//\n'.repeat(250));
  const { failed, output } = clean.check('lengths');
  expect(failed).toBe(false);
  expect(output).toContain('planted-longish.ts: 250 lines');
});

test('npm run check sees a manifest that points an arrow upward', () => {
  using _ = clean.editManifest('packages/document', { dependencies: { '@errand/host': '0.1.0' } });
  const { failed, output } = clean.check('arrows');
  expect(failed).toBe(true);
  expect(output).toContain('@errand/document may not depend on @errand/host');
});

test('npm run check sees a library that depends on an adapter outside its tests', () => {
  using _ = clean.editManifest('packages/gateway', {
    dependencies: { '@errand/machine': '0.1.0' },
  });
  const { failed, output } = clean.check('arrows');
  expect(failed).toBe(true);
  expect(output).toContain('@errand/gateway may not depend on @errand/machine');
});

test('npm run check sees a package that has no place in the architecture', () => {
  using _ = clean.write('packages/planted/package.json', '{ "name": "@errand/planted" }\n');
  const { failed, output } = clean.check('arrows');
  expect(failed).toBe(true);
  expect(output).toContain('@errand/planted has no place');
});

test('npm run check sees a program that offers itself for import', () => {
  using _ = clean.editManifest('servers/vault', { exports: { '.': './src/main.ts' } });
  const { failed, output } = clean.check('arrows');
  expect(failed).toBe(true);
  expect(output).toContain('nobody imports it');
});

test('npm run check sees another program than the command line import the workbench', () => {
  using _ = clean.editManifest('servers/vault', { dependencies: { '@errand/workbench': '0.1.0' } });
  const { failed, output } = clean.check('arrows');
  expect(failed).toBe(true);
  expect(output).toContain('@errand/vault may not depend on @errand/workbench');
});

test('npm run check sees a lock that does not know a new dependency', () => {
  using _ = clean.editManifest('packages/document', { dependencies: { 'left-pad': '1.3.0' } });
  const { failed, output } = clean.check('lock');
  expect(failed).toBe(true);
  expect(output).toMatch(
    /packages\/document\/package\.json wants left-pad 1\.3\.0; the lock says nothing/,
  );
});

test("npm run check sees a lock without another platform's package", () => {
  using _ = clean.editLock((packages) => {
    delete packages['node_modules/@biomejs/cli-darwin-arm64'];
  });
  const { failed, output } = clean.check('lock');
  expect(failed).toBe(true);
  expect(output).toContain('node_modules/@biomejs/cli-darwin-arm64 is missing');
});

test('npm run check sees a download host in the lock', () => {
  using _ = clean.editLock((packages) => {
    packages['node_modules/yaml'] = { version: '2.9.1', resolved: 'https://host.invalid/yaml.tgz' };
  });
  const { failed, output } = clean.check('lock');
  expect(failed).toBe(true);
  expect(output).toContain('node_modules/yaml names a download host');
});

test('npm run check sees a package in the lock whose contents are not pinned', () => {
  using _ = clean.editLock((packages) => {
    packages['node_modules/yaml'] = { version: '2.9.1' };
  });
  const { failed, output } = clean.check('lock');
  expect(failed).toBe(true);
  expect(output).toContain('node_modules/yaml has no integrity');
});

test('npm run check passes a copy without mistakes in arrows, lengths, lock and sentences', () => {
  expect(clean.check('arrows', 'lengths', 'lock', 'sentences')).toMatchObject({ failed: false });
});
