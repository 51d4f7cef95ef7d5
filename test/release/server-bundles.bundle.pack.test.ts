import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { getMcpConfigForManifest, unpackExtension, v0_3 } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '../..');
const bundles = globSync('dist/bundles/*.mcpb', { cwd: root });

test('every server has a bundle and an entry for the registry', () => {
  const programs = globSync('servers/*/package.json', { cwd: root }).flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')).bin),
  );
  expect(bundles.map((path) => basename(path).replace(/-[\d.]+\.mcpb$/, '')).sort()).toEqual(
    programs.sort(),
  );
});

test.each(bundles)('%s starts as its manifest says, and has the tools it names', async (bundle) => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-mcpb-'));
  try {
    const outputDir = join(folder, 'unpacked');
    expect(await unpackExtension({ mcpbPath: join(root, bundle), outputDir, silent: true })).toBe(
      true,
    );
    const text = readFileSync(join(outputDir, 'manifest.json'), 'utf8');
    const manifest = v0_3.McpbManifestSchema.parse(JSON.parse(text));
    const { tools = [], user_config: asked = {} } = manifest;
    mkdirSync(join(folder, 'notes'));
    // A person fills in what is required; nothing is asked of any service here.
    const required = Object.entries(asked).filter(([, { required: isRequired }]) => isRequired);
    const userConfig = Object.fromEntries(
      required.map(([name, { type }]) => [
        name,
        type === 'directory' ? join(folder, 'notes') : 'example',
      ]),
    );
    const filled = { manifest, extensionPath: outputDir, systemDirs: {}, userConfig };
    const config = await getMcpConfigForManifest({ ...filled, pathSeparator: '/' });
    expect(JSON.stringify(config)).not.toContain('user_config');
    const { args = [], env = {} } = config ?? {};
    const client = new Client({ name: 'desktop', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args,
        env: { ...env, HOME: folder },
        stderr: 'ignore',
      }),
    );
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(listed).toEqual(tools.map(({ name }) => name));
    expect(listed).toContain('health_check');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What the registry's schema of 2025-12-11 asks for; stricter than it, because unknown keys are refused. */
const input = {
  description: z.string().min(1),
  isRequired: z.boolean(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isSecret: z.boolean().optional(),
};
const serverSchema = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .max(255),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+$/),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(
          z.strictObject({ type: z.literal('named'), name: z.string().regex(/^--/), ...input }),
        ),
        environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
      }),
    )
    .length(1),
});

test.each(globSync('dist/bundles/*.server.json', { cwd: root }))(
  '%s is an entry that the registry takes, for the package that names it back',
  (path) => {
    const { name, packages } = serverSchema.parse(
      JSON.parse(readFileSync(join(root, path), 'utf8')),
    );
    const folder = join(
      root,
      'dist/staged',
      basename(path).replace(/^errand-|\.server\.json$/g, ''),
    );
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest.mcpName).toBe(name);
    expect(packages[0]).toMatchObject({ identifier: manifest.name, version: manifest.version });
  },
);
