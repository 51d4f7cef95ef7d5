import { resolveSections, scan } from '@errand/document';
import { typosOf } from '@errand/document/testing';
import { expect, test } from 'vitest';
import { HostError } from '../host-error.ts';
import { readSettings } from './read-settings.ts';
import { documentPathsOf, unmatchedPaths } from './unmatched-paths.ts';

const note = 'Projects/Plan.md';
const text = scan('x\n\n# Secret\nx\n## Deeper\nx ^own\n# Free\n');
const settingsWith = (binding: object) =>
  JSON.stringify({
    mcpServers: [
      {
        id: 'a1',
        name: 'db',
        transport: 'stdio',
        deploymentType: 'local',
        localConfig: { command: 'x' },
        enabled: true,
        sectionBindings: [{ ...binding, serverId: 'a1', inheritToChildren: true }],
      },
      {
        id: 'b2',
        name: 'other',
        transport: 'stdio',
        deploymentType: 'local',
        localConfig: { command: 'x' },
        enabled: true,
      },
    ],
  });

/** How many lines of the note another server may be called from, and whether anybody is told of a mistake. */
async function read(file: string) {
  try {
    const settings = readSettings(file, 'settings.json');
    const { mcpServers: servers, brokenBindings, problems: stored } = settings;
    const context = { servers, brokenBindings, documentPath: note };
    const { decide, problems, sections } = resolveSections(text, context);
    const isThere = servers.some(({ name }) => name === 'other');
    const free = [1, 3, 4, 5, 6, 7].filter((line) => isThere && decide(line).kind === 'unbound');
    const unmatched = await unmatchedPaths(documentPathsOf(settings), [note]);
    const isReported = [...stored, ...problems, ...unmatched].length > 0;
    const isBound = sections.some(({ decision }) => decision.kind === 'bound');
    return { free: free.length, isReported, isBound };
  } catch (error) {
    // The whole file is refused, and nothing runs.
    if (error instanceof HostError && error.code === 'settings_invalid') {
      return { free: 0, isReported: true, isBound: false };
    }
    throw error;
  }
}

test.each([
  [{ sectionType: 'heading', headingText: '# Secret' }, 2],
  [{ sectionType: 'heading', headingText: '# Secret', documentPath: note }, 2],
  [{ sectionType: 'heading', headingText: 'Secret', documentPath: 'Projects/**' }, 2],
  [{ sectionType: 'block', blockId: '^own' }, 5],
  [{ sectionType: 'range', startLine: 3, endLine: 99, documentPath: note }, 1],
])('no typo in the settings frees a section silently: %j', async (binding, free) => {
  const file = settingsWith(binding);
  expect(await read(file)).toEqual({ free, isReported: false, isBound: true });
  const silent: string[] = [];
  for (const typo of typosOf(file, 0, file.indexOf('},{"id":"b2"'))) {
    const after = await read(typo.text);
    // One that makes the binding mean another part that the note has is seen there.
    if (after.free > free && !after.isReported && !after.isBound) silent.push(typo.name);
  }
  expect(silent).toEqual([]);
});
