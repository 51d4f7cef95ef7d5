import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { exampleServer } from '../testing/example-server.ts';
import { changeSettings } from './change-settings.ts';
import { readForeignConfig } from './foreign/read-foreign-config.ts';
import { readSettings } from './read-settings.ts';

const words =
  'version mcpServers name id transport deploymentType localConfig dockerConfig httpConfig command args env url headers ports mounts sectionBindings sectionType timeout discovery servers inputs __proto__ constructor'.split(
    ' ',
  );

/** Values that use the words of the settings for anything at all. */
const { nonsense } = fc.letrec<{ nonsense: unknown }>((tie) => ({
  nonsense: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1, 1e9, '', 'stdio', 'local', 'x', 'https://x', `\${env:A}`),
    fc.array(tie('nonsense'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('nonsense'), { maxKeys: 6 }),
  ),
}));

const onlyRefuses = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(HostError);
    expect(error).toMatchObject({ code: 'settings_invalid' });
  }
};

test('reads or refuses any JSON, and any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nonsense.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (text) => {
        onlyRefuses(() => readSettings(text, 'f'));
        onlyRefuses(() =>
          readForeignConfig(text, { file: 'f' }, { os: 'linux', vaultFolder: '/v' }),
        );
      },
    ),
    { seed: 1, numRuns: 1_000 },
  );
});

test('reads a good entry among any others, and keeps those when it changes', () => {
  const entries = fc.array(nonsense, { maxLength: 4 });
  fc.assert(
    fc.property(entries, entries, (before, after) => {
      const text = JSON.stringify({ mcpServers: [...before, exampleServer, ...after] });
      const { text: changed, settings } = changeSettings(text, 'f', (current) => ({
        ...current,
        logDays: 7,
        mcpServers: current.mcpServers.map((server) => ({ ...server, failureCount: 1 })),
      }));
      expect(settings).toMatchObject({ logDays: 7 });
      expect(settings.mcpServers).toContainEqual({ ...exampleServer, failureCount: 1 });
      const list: unknown[] = JSON.parse(changed).mcpServers;
      expect(list).toHaveLength(before.length + after.length + 1);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('reads an object that cannot be compared as any other wrong value', () => {
  const odd = { length: { valueOf: 1, toString: 1 } };
  const text = JSON.stringify({
    mcpServers: [{ ...exampleServer, id: odd }],
    attachmentsFolder: odd,
  });
  const { mcpServers, problems } = readSettings(text, 'settings.json');
  expect(mcpServers).toEqual([]);
  expect(problems.map(({ path }) => path)).toEqual(['attachmentsFolder', 'mcpServers[0].id']);
});
