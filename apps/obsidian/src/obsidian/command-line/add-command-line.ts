import type { BlockOutcome } from '@errand/host';
import type { KeyedBlock } from '@errand/workspace/runs';
import { describeRunEnd } from '@errand/workspace/runs';
import { serverJson } from '@errand/workspace/servers';
import { requireApiVersion } from 'obsidian';
import { describeServers } from '../../side-view/describe-servers.ts';
import { stateOf } from '../../side-view/server-states.ts';
import { describeThrown, runEndWords } from '../../text/advice.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { chooseBlocksOf, noteNamed, runBlocksOf } from '../running/run-note.ts';

/** Lets the command line of Obsidian run notes and show servers; versions before 1.12.2 have none. */
export function addCommandLine(open: OpenPlugin): void {
  const { plugin } = open;
  const json = { description: 'Print JSON' };
  if (requireApiVersion('1.12.2')) {
    plugin.registerCliHandler(
      'errand:run',
      'Run the tool blocks of a note and write each result below its block',
      {
        file: { value: '<note>', description: 'Name or path of the note', required: true },
        block: { value: '<line|^id>', description: 'Only this block' },
        stale: { description: 'Only blocks that never ran, failed, or have changed' },
        force: { description: 'Replace results that were edited by hand' },
        again: { description: 'Also run blocks that are done and whose tool may change something' },
        json,
      },
      (params) => answered(params, () => run(open, params)),
    );
    plugin.registerCliHandler(
      'errand:servers',
      'Show the state of the servers',
      { json },
      (params) => answered(params, async () => servers(open, params)),
    );
  }
}

type Params = Readonly<Record<string, string>>;

/** Failures are returned as output: nothing else would show them. */
async function answered({ json }: Params, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const message = describeThrown(error);
    return json === undefined ? message : JSON.stringify({ error: { message } }, undefined, 2);
  }
}

async function run(open: OpenPlugin, params: Params): Promise<string> {
  const file = noteNamed(open, params.file ?? '');
  const note = await chooseBlocksOf(open, file, {
    ...(params.block !== undefined && { blocks: [params.block] }),
    ...(params.stale !== undefined && { stale: true }),
  });
  const { unmet, chosen } = note;
  if (unmet.length > 0) throw new Error(`${file.path} has no block at ${unmet.join(', ')}.`);
  const results = await runBlocksOf(open, note, {
    force: params.force !== undefined,
    again: params.again !== undefined || params.block !== undefined,
  });
  if (params.json !== undefined) {
    const changed = results.some(({ written }) => written);
    return JSON.stringify({ note: file.path, changed, results }, undefined, 2);
  }
  if (results.length === 0) return `${file.path}: no blocks to run.`;
  const { message, detail } = describeRunEnd(file.path, results, runEndWords);
  const after = await chooseBlocksOf(open, file, { blocks: [] });
  const written = describeWritten(chosen, results, after.all);
  return [message, ...(detail === undefined ? [] : [detail]), ...written].join('\n');
}

/** What a run wrote, block by block, each under a line that says where it stands now. */
function describeWritten(
  chosen: readonly KeyedBlock[],
  runs: readonly BlockOutcome[],
  after: readonly KeyedBlock[],
): readonly string[] {
  return chosen.flatMap(({ key }, index) => {
    const found = after.find((each) => each.key === key)?.block;
    if (!runs[index]?.written || !found?.result) return [];
    const { server, tool, result } = found;
    return [`Line ${result.line}, ${server} · ${tool}:`, result.payload];
  });
}

function servers({ vault }: OpenPlugin, { json }: Params): string {
  const all = vault.host.servers.snapshots();
  if (json !== undefined) return JSON.stringify({ servers: all.map(serverJson) }, undefined, 2);
  return describeServers(all, (id) => stateOf(vault, id), Date.now());
}
