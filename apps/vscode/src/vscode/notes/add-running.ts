import { type BlockChoice, HostError } from '@errand/host';
import { urgentFailure } from '@errand/workspace/advice';
import {
  blockAtLine,
  chooseInNote,
  describeRunEnd,
  runChosen,
  runOneBlock,
  serversOf,
} from '@errand/workspace/runs';
import { commands, ProgressLocation, Uri, window } from 'vscode';
import { runEndWords, vscodeAdvice } from '../../text/advice.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault } from '../vaults.ts';
import { editorNote } from './editor-note.ts';
import { isBehind, type ShownBlock } from './shown-block.ts';

const agree = 'Agree and Run';

/** Adds the commands that run and cancel blocks; without arguments they mean the note and the line of the cursor. */
export function addRunning(open: OpenExtension): void {
  const { context, notices } = open;
  const register = (id: string, work: (...args: CommandArgs) => Promise<void>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.${id}`, (...args: CommandArgs) =>
        work(...args).catch(notices.fail),
      ),
    );
  register('runBlock', (...args) => runBlock(open, args, false));
  register('replaceResult', (...args) => runBlock(open, args, true));
  register('cancelBlock', async (uri, key) => {
    const note = await noteOf(open, uri);
    if (note === undefined) return;
    const wanted = key ?? keyAtCursor(note);
    note.session.runs.cancel(note.path, wanted === undefined ? undefined : [wanted]);
  });
  register('runNote', (uri) => runNote(open, uri, {}, false));
  register('runNoteAgain', (uri) => runNote(open, uri, {}, true));
  register('runStale', (uri) => runNote(open, uri, { stale: true }, false));
}

/** The note and the block that are meant, and as a lens has shown the block. */
type CommandArgs = readonly [uri?: string, key?: string, shown?: ShownBlock];

async function runBlock(
  open: OpenExtension,
  [uri, givenKey, shown]: CommandArgs,
  force: boolean,
): Promise<void> {
  const note = await noteOf(open, uri);
  if (note === undefined) return;
  const key = givenKey ?? keyAtCursor(note);
  if (key === undefined) {
    return open.notices.notify({
      level: 'info',
      message: 'There is no block at the cursor.',
      detail: 'Put the cursor into a block, or into its result, and run the command again.',
    });
  }
  const notes = editorNote(note);
  if (shown && isBehind(note, await notes.read(note.path), key, shown)) return;
  const ports = { ...note.session, host: note.session.vault.host };
  const end = await runOneBlock(ports, note, notes, key, { force, agree });
  const isReported = end === undefined || end.written || end.status === 'cancelled';
  if (!isReported && end.error && !urgentFailure(end.error, vscodeAdvice)) {
    throw HostError.of(end.error);
  }
}

async function runNote(
  open: OpenExtension,
  uri: string | undefined,
  choice: BlockChoice,
  again: boolean,
): Promise<void> {
  const note = await noteOf(open, uri);
  if (note === undefined) return;
  const { session, path } = note;
  const ports = { ...session, host: session.vault.host };
  const notes = editorNote(note);
  const asked = await chooseInNote(ports, note, notes, choice);
  if (!(await session.trustQuestions.ensure(serversOf(ports, asked.chosen), agree))) return;
  // The note may have been changed while the person was asked.
  const chosen = await chooseInNote(ports, note, notes, choice);
  const count = chosen.chosen.length;
  if (count === 0) return open.notices.notify({ level: 'info', ...nothing(path, choice) });
  const title = `Running ${path}`;
  const location = ProgressLocation.Notification;
  await window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const keys = chosen.chosen.map(({ key }) => key);
    token.onCancellationRequested(() => session.runs.cancel(path, keys));
    let ended = 0;
    const onEnd = () => {
      ended += 1;
      progress.report({ message: `${ended} of ${count}`, increment: 100 / count });
    };
    const outcomes = await runChosen(ports, chosen, notes, { force: false, again, onEnd });
    open.notices.notify(describeRunEnd(path, outcomes, runEndWords));
  });
}

function nothing(path: string, { stale }: BlockChoice) {
  return stale
    ? {
        message: `Nothing to run: every block of ${path} is up to date.`,
        detail: 'Choose “Errand: Run Note Again” to run them all again.',
      }
    : {
        message: `${path} has no blocks to run.`,
        detail:
          'Write one: a code block with the name of a server as its language, and tool: below.',
      };
}

/** The note of a command: the one that is named, or that the person works in; says why there is none. */
export async function noteOf(
  { vaults, notices }: OpenExtension,
  named?: string,
): Promise<NoteOfVault | undefined> {
  const uri = named === undefined ? window.activeTextEditor?.document.uri : Uri.parse(named);
  const note = uri && (await vaults.noteAt(uri));
  if (note === undefined) {
    notices.notify({
      level: 'info',
      message: 'There is no note of a vault to work with.',
      detail:
        'Open a Markdown file of a trusted folder with “.errand”; “Errand: Set Up This Folder” makes one.',
    });
  }
  return note;
}

function keyAtCursor({ session, path, uri }: NoteOfVault): string | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.document.uri.toString() !== uri.toString()) return undefined;
  const blocks = session.blocks.of(path, editor.document.getText());
  return blockAtLine(blocks, editor.selection.active.line + 1)?.key;
}
