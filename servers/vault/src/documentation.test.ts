import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './testing/start-server.ts';

const root = join(import.meta.dirname, '../../..');

/** Every call in the guide with the answer it shows, in order. */
function examples(): { tool: string; input: object; answer: Record<string, unknown> }[] {
  const guide = readFileSync(join(root, 'docs/vault-server.md'), 'utf8');
  return guide
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const tool = /^`(\w+)`/.exec(section)?.[1] ?? '';
      const pairs = [...section.matchAll(/^```json\n(.*?)^```\n```json\n(.*?)^```/gms)];
      return pairs.map(([, input = '', answer = '']) => ({
        tool,
        input: JSON.parse(input),
        answer: JSON.parse(answer),
      }));
    });
}

test('documents every tool, with examples that are true', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'errand-vault-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const vault = join(parent, 'vault');
  cpSync(join(root, 'examples/vault'), vault, { recursive: true });
  const { call, client } = await startServer(vault);
  const shown = examples();
  const { tools } = await client.listTools();
  expect([...new Set(shown.map(({ tool }) => tool))].sort()).toEqual(
    tools.map(({ name }) => name).sort(),
  );
  for (const { tool, input, answer } of shown) {
    const { etag, ...rest } = answer;
    expect({ tool, answer: await call(tool, { ...input }) }).toMatchObject({ tool, answer: rest });
  }
});
