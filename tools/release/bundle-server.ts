import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundleManifest, serverJson } from './describe-server.ts';
import type { PublicPackage } from './public-packages.ts';
import type { Manifest } from './read-manifest.ts';

/** Makes, beside the tarball of a server, what other places list and install it by: an `.mcpb` bundle and its `server.json`. */
export async function bundleServer(
  published: PublicPackage,
  manifest: Manifest,
  staged: string,
  target: string,
): Promise<void> {
  const [program = ''] = Object.keys(manifest.bin ?? {});
  const content = mkdtempSync(join(tmpdir(), 'errand-bundle-'));
  try {
    for (const part of ['dist', 'package.json', 'LICENSE', 'README.md']) {
      cpSync(join(staged, part), join(content, part), { recursive: true });
    }
    const tools = await toolsOf(published, content);
    writeJson(join(content, 'manifest.json'), bundleManifest(published, manifest, tools));
    mkdirSync(target, { recursive: true });
    const outputPath = join(target, `${program}-${manifest.version}.mcpb`);
    const isPacked = await packExtension({ extensionPath: content, outputPath, silent: true });
    if (!isPacked) throw new Error(`${outputPath} could not be packed.`);
    writeJson(join(target, `${program}.server.json`), serverJson(published, manifest));
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
}

/** Asks the server itself, on an empty vault. */
async function toolsOf({ server }: PublicPackage, folder: string) {
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  const client = new Client({ name: 'pack', version: '1.0.0' });
  const folders = server?.options.filter(({ kind }) => kind === 'directory') ?? [];
  const args = folders.flatMap(({ flag }) => (flag === undefined ? [] : [flag, vault]));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'dist/main.js'), ...args],
      env: { HOME: folder, PATH: process.env.PATH ?? '' },
      stderr: 'ignore',
    }),
  );
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
    for (const made of ['vault', '.local', '.cache']) {
      rmSync(join(folder, made), { recursive: true, force: true });
    }
  }
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
