import { type NoteContext, type NoteScan, scan } from '@errand/document';
import type { CommandContext, CommonOptions } from './command-context.ts';
import { folderOf, pathInVault } from './note-path.ts';
import { openVault } from './open-vault.ts';
import { personAt } from './person.ts';

/** A scanned note, and the servers it may name. */
export interface ReadNote {
  readonly path: string;
  readonly note: NoteScan;
  readonly known: NoteContext;
}

/** Reads a note named on the command line, and closes its vault again. */
export async function readNote(
  name: string,
  options: CommonOptions,
  context: CommandContext,
): Promise<ReadNote> {
  const { terminal, signal } = context;
  const start = folderOf(name, terminal.cwd);
  await using vault = await openVault(options, context, personAt(terminal), start);
  const path = pathInVault(name, terminal.cwd, vault.folder);
  const note = scan(await vault.notes.read(path, signal));
  return { path, note, known: vault.host.servers.noteContext(path) };
}
