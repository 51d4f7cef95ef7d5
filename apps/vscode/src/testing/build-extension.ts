import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildWebview } from '../../build-webview.ts';
import manifest from '../../manifest.json' with { type: 'json' };
import { packExtension } from '../../pack-extension.ts';
import bundle from '../../rolldown.config.ts';

/** Builds the extension as `npm run build` does, and the bridge for its tests. */
export async function buildExtension(folder: string): Promise<void> {
  const { output, ...input } = bundle;
  await using extension = await rolldown(input);
  const released = join(folder, 'errand');
  await extension.write({ ...output, dir: released });
  await buildWebview(released);
  await packExtension(released, join(folder, 'errand.vsix'));
  await using bridge = await rolldown({
    input: join(import.meta.dirname, 'bridge/bridge.ts'),
    platform: 'node',
    external: ['vscode'],
  });
  await bridge.write({ file: join(folder, 'bridge/bridge.js'), format: 'cjs' });
  writeFileSync(join(folder, 'bridge/package.json'), JSON.stringify(bridgeManifest));
  copyFileSync(join(released, 'LICENSE'), join(folder, 'bridge/LICENSE'));
  await packExtension(join(folder, 'bridge'), join(folder, 'bridge.vsix'));
  // The least that any extension needs, for benchmarks.
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'empty.js'), 'exports.activate = () => {};\n');
  writeFileSync(join(empty, 'package.json'), JSON.stringify(emptyManifest));
  copyFileSync(join(released, 'LICENSE'), join(empty, 'LICENSE'));
  await packExtension(empty, join(folder, 'empty.vsix'));
}

const bridgeManifest = {
  ...manifest,
  name: 'test-bridge',
  main: './bridge.js',
  activationEvents: ['*'],
  contributes: {
    // What a test registers under these names is a tool of another extension.
    languageModelTools: ['echo', 'ask', 'wait', 'picture'].map((name) => ({
      name: `bridge_${name}`,
      displayName: name,
      modelDescription: `The tool ${name} of another extension.`,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    })),
  },
  capabilities: { untrustedWorkspaces: { supported: true } },
};

const emptyManifest = {
  ...manifest,
  name: 'test-empty',
  main: './empty.js',
  activationEvents: [],
  contributes: {},
};
