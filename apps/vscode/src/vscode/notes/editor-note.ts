import { setTimeout as sleep } from 'node:timers/promises';
import { HostError, type NoteStore } from '@errand/host';
import { ensureInVault } from '@errand/machine/node';
import {
  FilePermission,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import type { NoteOfVault } from '../vaults.ts';

/**
 * One note, open or not. Every edit is one step of undo in the editor. A note that was saved is saved again after it;
 * what a person has not saved yet stays so, until a call that must not be made twice is recorded.
 */
export function editorNote({ session, uri, path }: NoteOfVault): NoteStore {
  return {
    read: async () => (await documentAt(uri)).getText(),
    ensureWritable: () => ensureWritable(uri, path),
    edit: (_path, change) => editDocument(uri, change),
    async whileRunning(_path, request, work, signal) {
      // Other programs do not run what a link out of the vault leads to.
      if (!isReachable(session.folder, path)) return work('none');
      // A block that is run by itself is asked about before its tool is looked at; one that only reads may run twice.
      if (mayRepeat({ session, uri, path }, (await documentAt(uri)).getText(), request)) {
        return work('none');
      }
      return session.vault.whileRunning(
        path,
        request,
        async (earlier) => {
          await agreeWithDisk(uri, path);
          const outcome = await work(earlier);
          // Whoever waits for the lock reads the file.
          await (await documentAt(uri)).save();
          return outcome;
        },
        signal,
      );
    },
  };
}

/** Changes a note, in one step of undo; saves it when it had no unsaved text. */
async function editDocument(uri: Uri, change: Parameters<NoteStore['edit']>[1]): Promise<boolean> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const document = await documentAt(uri);
    const edits = change(document.getText());
    if (edits.length === 0) return false;
    const hasUnsaved = document.isDirty;
    const edit = new WorkspaceEdit();
    for (const { range, text } of edits) edit.replace(uri, rangeOf(document, range), text);
    // It is refused when the text was changed while the edit was on its way.
    if (await workspace.applyEdit(edit)) {
      if (!hasUnsaved) await document.save();
      return true;
    }
  }
  const message = `${workspace.asRelativePath(uri)} cannot be changed by the editor now.`;
  throw new HostError('note_changed', message);
}

/** More than a fast typist changes while an edit is on its way. */
const mostAttempts = 20;

export function rangeOf(document: TextDocument, [from, to]: readonly [number, number]): Range {
  return new Range(document.positionAt(from), document.positionAt(to));
}

async function documentAt(uri: Uri): Promise<TextDocument> {
  try {
    return await workspace.openTextDocument(uri);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${workspace.asRelativePath(uri)} cannot be read: ${why}`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}

async function ensureWritable(uri: Uri, path: string): Promise<void> {
  await documentAt(uri);
  const { permissions = 0 } = await workspace.fs.stat(uri);
  if (permissions & FilePermission.Readonly) {
    throw new HostError('note_unreadable', `${path} is read-only, so no answer can be written.`);
  }
}

/** Whether the tool of a request is known to only read, or to do the same when it is called again. */
function mayRepeat({ session, path }: NoteOfVault, text: string, request: string): boolean {
  const found = session.blocks.of(path, text).find(({ block }) => block.source === request);
  const server = session.vault.host.servers.find(found?.block.server ?? '');
  if (found === undefined || server === undefined) return false;
  const tool = session.tools.of(server.id).find(({ name }) => name === found.block.tool);
  const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
  return readOnlyHint === true || idempotentHint === true;
}

function isReachable(vaultFolder: string, path: string): boolean {
  try {
    ensureInVault(vaultFolder, path);
    return true;
  } catch {
    return false;
  }
}

/** The editor reads what others have written within a second or two. */
const patienceMs = 5_000;
const stepMs = 50;

/**
 * Waits until the editor and the disk agree: an answer that another program has just written must be seen before its
 * block is called again, and the block must be on the disk that other programs look at.
 */
async function agreeWithDisk(uri: Uri, path: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const document = await documentAt(uri);
    // The editor refuses to save over what another program has written since, and says so itself.
    if (document.isDirty && !(await document.save())) throw conflict(path);
    const onDisk = new TextDecoder().decode(await workspace.fs.readFile(uri));
    if (unified(onDisk) === unified(document.getText())) return;
    if (performance.now() > deadline) throw conflict(path);
    await sleep(stepMs);
  }
}

function conflict(path: string): HostError {
  return new HostError(
    'note_changed',
    `${path} was changed by another program, and the editor shows another text. Save or revert the note, and run the block again.`,
  );
}

function unified(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
