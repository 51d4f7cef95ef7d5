import { type BlockOutcome, HostError } from '@errand/host';
import { runOneBlock } from '@errand/workspace/runs';
import { openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { runnableNote } from '../runnable-note.ts';
import { runPorts } from '../running/run-note.ts';

/** Runs one block of a note, as the note is now; the first time, the person is asked about its server. */
export async function runBlock(
  open: OpenPlugin,
  path: string,
  key: string,
  { force }: { readonly force: boolean },
): Promise<BlockOutcome | undefined> {
  const { app } = open.plugin;
  const file = app.vault.getFileByPath(path);
  if (file === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
  const end = await runOneBlock(runPorts(open), file, runnableNote(open, file), key, {
    force,
    agree: 'Agree and run',
  });
  if (!end?.error || end.written) return end;
  // The card says it; when nobody sees the card any more, it is said here.
  const seen = openText(app, file.path);
  const isSeen =
    seen !== undefined && open.blocks.of(file.path, seen).some((each) => each.key === key);
  if (!isSeen) throw HostError.of(end.error);
  return end;
}
