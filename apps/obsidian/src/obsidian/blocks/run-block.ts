import { HostError } from '@errand/host';
import { askTrust } from '../ask-trust.ts';
import { noteOf, openText } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** Runs one block of a note, as the note is now; the first time, the person is asked about its server. */
export async function runBlock(
  { plugin, vault, blocks, runs }: OpenPlugin,
  path: string,
  key: string,
  { force }: { readonly force: boolean },
): Promise<void> {
  const { app } = plugin;
  const file = app.vault.getFileByPath(path);
  if (file === null) throw new HostError('note_unreadable', `There is no note ${path}.`);
  const note = noteOf(app, file);
  const text = await note.read(path);
  const found = blocks.of(path, text).find((block) => block.key === key);
  if (found === undefined) {
    throw new HostError('note_changed', 'The note was changed and no longer holds this block.');
  }
  const server = vault.host.servers.find(found.block.server ?? '');
  if (server !== undefined && vault.trust.verdict(server) !== 'trusted') {
    if (!(await askTrust(plugin, server))) return;
    await vault.trust.agree([server]);
  }
  const end = await runs.run({ path, key, block: found.block, text, force }, note);
  // The card says it; when nobody sees the card any more, it is said here.
  const isSeen = openText(app, path) !== undefined;
  if (end?.error && !end.written && !isSeen) throw new Error(end.error.message);
}
