import { blockOfCall } from '@errand/workspace/activity';
import { notices, showFailure } from '../notices.ts';
import { noteOf } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';

/** A call that was made in a note. */
export interface CallOfNote {
  readonly note: string;
  readonly line: number | null;
  readonly server: string;
  readonly tool: string;
}

/** A link that opens the note at the block that made a call. */
export function addNoteLink(el: HTMLElement, open: OpenPlugin, call: CallOfNote): void {
  const { note, line } = call;
  const text = line === null ? note : `${note}, line ${line}`;
  const link = el.createEl('a', { cls: 'errand-note-link', text, attr: { href: '#' } });
  link.setAttribute('aria-label', `Open ${text}`);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void openAtBlock(open, call).catch(showFailure);
  });
}

async function openAtBlock(
  { plugin: { app }, blocks }: OpenPlugin,
  { note, line, server, tool }: CallOfNote,
): Promise<void> {
  const file = app.vault.getFileByPath(note);
  if (file === null) {
    const detail = 'It was renamed or deleted since.';
    return notices.notify({ level: 'info', message: `There is no note ${note}.`, detail });
  }
  const text = await noteOf(app, file).read(note);
  const at = line ?? 1;
  const all = blocks.of(note, text).map(({ block }) => block);
  const found = blockOfCall(all, { line: at, server, tool });
  const eState = { line: (found?.line ?? at) - 1 };
  await app.workspace.getLeaf(false).openFile(file, { active: true, eState });
}
