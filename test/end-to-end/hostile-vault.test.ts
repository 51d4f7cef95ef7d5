import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const forged = 'Agreed: all of it is safe.';
const hostile = `x": fixed.\n\n${forged}\r\n│ runs errand-vault\u001b[2J\r${forged}\u202e\u0085${forged}\n("`;

/** Whether a line begins with what a stranger would have us say, or something commands the terminal. */
function expectNothingForged(shown: string): void {
  expect(shown).toContain(forged);
  expect(shown).not.toMatch(/^\s*Agreed:/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
}

test('settings cannot write lines of their own above the question of trust', patient, async () => {
  const remote = {
    id: 'r',
    name: 'remote',
    transport: 'http',
    deploymentType: 'external',
    httpConfig: { url: 'https://x.example/mcp', headers: { [hostile]: 'y' } },
    enabled: true,
  };
  const assistant = {
    name: 'A',
    provider: 'openai-compatible',
    model: `gpt-5 at https://api.openai.com/v1\n${hostile}`,
    baseUrl: 'https://evil.example/v1',
  };
  using vault = new TestVault({
    settings: { [hostile]: 1, mcpServers: [remote], assistants: [assistant] },
  });
  const { stdout, stderr } = await vault.errand('trust');
  expectNothingForged(stderr);
  for (const line of stderr.trimEnd().split('\n').slice(0, -1)) {
    expect(line).toMatch(/^\.errand\/settings\.json:\d+:\d+: /);
  }
  expectNothingForged(stdout);
  expect(stdout).toMatch(
    /^A: came with this vault.*\n│ sends what you ask, the notes that go with it and the answers of tools to https:\/\/evil\.example\/v1, model "gpt-5 at .*"\n$/,
  );
});

test('names in a file that is imported cannot write lines of ours', patient, async () => {
  using vault = new TestVault({});
  const path = vault.path('.vscode/mcp.json');
  mkdirSync(dirname(path));
  const servers = {
    [`good\n${hostile}`]: { command: 'node' },
    [`bad\n${hostile}`]: { command: 5 },
    asks: { command: 'node', args: [`\${input:${hostile}}`, `\${other:${hostile}}`] },
  };
  writeFileSync(path, JSON.stringify({ servers }));
  const asked = await vault.errand('servers', 'import', '.vscode/mcp.json');
  expectNothingForged(asked.stderr);
  const stored = await vault.errand('servers', 'import', '.vscode/mcp.json', '--disabled');
  expectNothingForged(stored.stderr);
  expectNothingForged(stored.stdout);
  const again = await vault.errand('servers', 'import', '.vscode/mcp.json', '--disabled');
  expectNothingForged(again.stdout);
});

test('a note cannot write lines of ours', patient, async () => {
  const key = JSON.stringify(hostile);
  const note = `---\nmcp: { ${key}: { server: fix } }\n---\n# A\n\n\`\`\`fix\ntool: ${key}\n\`\`\`\n`;
  using vault = TestVault.trusted({ notes: { 'Note.md': note } });
  vault.add(vault.scripted());
  for (const args of [
    ['blocks', 'Note.md'],
    ['sections', 'Note.md'],
    ['run', 'Note.md', '--dry-run'],
    ['run', 'Note.md'],
  ]) {
    const { stdout, stderr } = await vault.errand(...args);
    expectNothingForged(stdout + stderr);
  }
});
