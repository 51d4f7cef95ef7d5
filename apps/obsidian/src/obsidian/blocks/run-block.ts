import type { ToolBlock } from '@errand/document';
import { type BlockOutcome, HostError } from '@errand/host';
import type { KeyedBlock } from '@errand/workspace/runs';
import { ensureTrust } from '../ask-trust.ts';
import { noteOf, openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Runs one block of a note, as the note is now; the first time, the person is asked about its server. */
export async function runBlock(
  open: OpenPlugin,
  path: string,
  key: string,
  { force }: { readonly force: boolean },
): Promise<BlockOutcome | undefined> {
  const { plugin, vault, blocks, runs } = open;
  const { app } = plugin;
  const file = app.vault.getFileByPath(path);
  if (file === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
  const note = noteOf(app, file);
  const find = async () => {
    const text = await note.read(file.path);
    return { text, block: blockIn(blocks.of(file.path, text), key) };
  };
  const { block } = await find();
  const server = vault.host.servers.find(block.server ?? '');
  // A call that the section forbids is refused anyway, so its server needs no approval.
  const isAsked = server !== undefined && block.refusal === null;
  if (isAsked && !(await ensureTrust(open, [server]))) return undefined;
  // What was asked about is run, or nothing: the note may have been changed meanwhile.
  const wanted = await find();
  const blocksToRun = [{ key, block: wanted.block }];
  const started = runs.start(
    { path: file.path, text: wanted.text, blocks: blocksToRun, force, again: true },
    note,
  );
  const end = await started.outcomes[0];
  if (!end?.error || end.written) return end;
  // The card says it; when nobody sees the card any more, it is said here.
  const seen = openText(app, file.path);
  const isSeen = seen !== undefined && blocks.of(file.path, seen).some((each) => each.key === key);
  if (!isSeen) throw HostError.of(end.error);
  return end;
}

function blockIn(blocks: readonly KeyedBlock[], key: string): ToolBlock {
  const found = blocks.find((each) => each.key === key);
  if (found !== undefined) return found.block;
  throw new HostError('note_changed', 'The note was changed and no longer holds this block.');
}
