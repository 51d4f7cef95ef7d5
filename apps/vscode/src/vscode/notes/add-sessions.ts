import { workspace } from 'vscode';
import type { OpenExtension } from '../open-extension.ts';

/** Follows notes that are closed, renamed and deleted: a session counts the calls of a note since it was opened. */
export function addNoteSessions({ context, vaults }: OpenExtension): void {
  const closed = (uri: Parameters<typeof vaults.openNoteAt>[0]) => {
    const note = vaults.openNoteAt(uri);
    if (note === undefined || note.session.runs.count(note.path) > 0) return;
    note.session.activity.sessions.closeNote(note.path);
  };
  context.subscriptions.push(
    workspace.onDidCloseTextDocument(({ uri }) => closed(uri)),
    workspace.onDidDeleteFiles(({ files }) => {
      for (const uri of files) {
        const note = vaults.openNoteAt(uri);
        note?.session.blocks.forget(note.path);
        note?.session.runs.forget(note.path);
        closed(uri);
      }
    }),
    workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) {
        const from = vaults.openNoteAt(oldUri);
        const to = vaults.openNoteAt(newUri);
        if (from === undefined || to === undefined || from.session !== to.session) continue;
        from.session.blocks.forget(from.path);
        from.session.runs.rename(from.path, to.path);
        from.session.activity.sessions.renameNote(from.path, to.path);
      }
    }),
  );
}
