import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { applyEdits, type TextEdit } from '@errand/document';
import { HostError, type NoteStore } from '@errand/host';
import { type App, type Editor, MarkdownView, type TFile } from 'obsidian';
import { notices } from './notices.ts';
import { asOwnStep, origin } from './undo-steps.ts';

/** The text of a note as it stands on the screen, saved or not; nothing when it is not open. */
export function openText(app: App, path: string): string | undefined {
  return viewsOf(app, path)[0]?.getViewData();
}

/**
 * Whether this is the text of a whole note, and not of a piece of it: the editors of table cells and footnotes have
 * the file of their note and every extension. Of a note without a pane, such as on a canvas, it is taken for granted.
 */
export function isWholeNote(app: App, path: string, text: string): boolean {
  const views = viewsOf(app, path);
  return views.length === 0 || views.some((view) => view.getViewData() === text);
}

const texts = new WeakMap<Text, string>();

/** The text of an editor, put together once however many show something of it. */
export function textOf(doc: Text): string {
  const known = texts.get(doc) ?? doc.toString();
  texts.set(doc, known);
  return known;
}

const noteEditors = new WeakMap<object, string>();

/**
 * The same of an editor that shows something: what is typed into the editor of a whole note leaves it one, so that
 * the texts are compared once, and not at every change.
 */
export function isNoteEditor(app: App, path: string, view: EditorView): boolean {
  if (noteEditors.get(view) === path) return true;
  const isWhole = isWholeNote(app, path, textOf(view.state.doc));
  // That of a note without a pane is only taken for granted.
  if (isWhole && openText(app, path) !== undefined) noteEditors.set(view, path);
  return isWhole;
}

/** Whether a command can be used in this editor; shows a notice when it holds only a piece of its note. */
export function ensureWholeNote(app: App, editor: Editor, file: TFile | null): boolean {
  if (file === null || isWholeNote(app, file.path, editor.getValue())) return true;
  notices.notify({
    level: 'info',
    message: 'The cursor is in a table or footnote, which has an editor of its own.',
    detail: 'Put the cursor into the text of the note, and run the command again.',
  });
  return false;
}

/** Changes the text of an open note, by offsets into it as it is. */
export type WriteInEditor = (editor: Editor, edits: readonly TextEdit[]) => void;

/**
 * One note, followed through renames. An open one is edited in its editor, in one step of undo: of several
 * in the one that is kept to, or else in the one that a person works in.
 */
export function noteOf(
  app: App,
  note: TFile,
  write: WriteInEditor = changeInEditor,
  isKeptTo: (editor: Editor) => boolean = () => false,
): NoteStore {
  return {
    async read() {
      return openText(app, note.path) ?? app.vault.read(existing(app, note));
    },

    async ensureWritable() {
      existing(app, note);
    },

    async edit(_path, change) {
      const file = existing(app, note);
      const views = viewsOf(app, file.path);
      const sources = views.filter(
        // While a piece of the note is edited, the view may hand out the editor of that piece.
        (view) => view.getMode() === 'source' && view.editor.getValue() === view.getViewData(),
      );
      const editing = sources.find(({ editor }) => isKeptTo(editor)) ?? sources[0];
      if (editing !== undefined) return editInEditor(editing.editor, change, write);
      return explained(file, async () => {
        // What was typed before the view was switched may not be on the disk yet.
        for (const view of views) await view.save();
        return editFile(app, file, change);
      });
    },
  };
}

/** Changes what an editor shows, in one step of undo. */
export function changeInEditor(editor: Editor, edits: readonly TextEdit[]): void {
  const changes = edits.map(({ range: [from, to], text }) => ({
    from: editor.offsetToPos(from),
    to: editor.offsetToPos(to),
    text,
  }));
  asOwnStep(() => editor.transaction({ changes }, origin));
}

/** Changes what an editor shows, in one step of undo for each edit. */
export function changeInSteps(editor: Editor, edits: readonly TextEdit[]): void {
  // The last first, so that each leaves the places of the others as they are.
  for (const edit of edits.toSorted(({ range: [a] }, { range: [b] }) => b - a)) {
    changeInEditor(editor, [edit]);
  }
}

type Change = (text: string) => readonly TextEdit[];

/** The panes that show a note; first the one that a person works in, whose undo is at hand. */
export function viewsOf({ workspace }: App, path: string): readonly MarkdownView[] {
  const active = workspace.getActiveViewOfType(MarkdownView);
  return workspace
    .getLeavesOfType('markdown')
    .flatMap(({ view }) => (view instanceof MarkdownView && view.file?.path === path ? [view] : []))
    .sort((a, b) => Number(b === active) - Number(a === active));
}

function editInEditor(editor: Editor, change: Change, write: WriteInEditor): boolean {
  const edits = change(editor.getValue());
  if (edits.length === 0) return false;
  write(editor, edits);
  return true;
}

async function editFile(app: App, file: TFile, change: Change): Promise<boolean> {
  let isChanged = false;
  await app.vault.process(file, (text) => {
    const edits = change(text);
    isChanged = edits.length > 0;
    return isChanged ? applyEdits(text, edits) : text;
  });
  return isChanged;
}

/** Tells what the disk refuses as what it is to the person; the answer is then kept elsewhere. */
async function explained<Result>({ path }: TFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${path} cannot be written (${cause.message}). Check the file's permissions and the space left.`;
    throw new HostError('note_unreadable', message, {}, { cause });
  }
}

/** The note as Obsidian knows it now: one that was deleted and made anew under its name is the same note. */
function existing(app: App, { path }: TFile): TFile {
  const file = app.vault.getFileByPath(path);
  if (file !== null) return file;
  throw new HostError('note_unreadable', `The note ${path} was deleted.`);
}
