import { type AssistantConfig, HostError } from '@errand/host';
import { type CursorPosition, planQuestion } from '@errand/workspace/conversations';
import type { MarkdownView, TFile } from 'obsidian';
import { notices } from '../notices.ts';
import { changeInEditor, ensureWholeNote } from '../open-notes.ts';
import { type AnswerPorts, answerHere } from './answer-here.ts';

/** Chooses the assistant; undefined when the person cancels. */
export type Choose = (signal: AbortSignal) => Promise<AssistantConfig | undefined>;

/** Asks in a note what is written or selected there, or begins a question. */
export async function askInNote(
  { view, file }: { readonly view: MarkdownView; readonly file: TFile },
  ports: AnswerPorts,
  choose: Choose,
): Promise<void> {
  const { answers, open } = ports;
  answers.ensureFree(file);
  const { servers } = open.vault.host;
  const isEdited = view.getMode() === 'source';
  if (isEdited && !ensureWholeNote(open.plugin.app, view.editor, file)) return;
  const place = cursorPosition(view);
  const plan = planQuestion(view.getViewData(), place, {
    ...servers.noteContext(file.path),
    assistants: servers.settings.assistants.map(({ name }) => name),
  });
  if (plan.kind === 'impossible') throw new HostError('block_invalid', plan.message);
  if (plan.kind === 'write') {
    if (place.line === undefined) throw new HostError('block_invalid', nothingToAnswer);
    const { editor } = view;
    if (plan.edit !== null) changeInEditor(editor, [plan.edit]);
    editor.setCursor(editor.offsetToPos(plan.cursor));
    editor.focus();
    notices.notify({ level: 'info', message: 'Write your question, then ask again.' });
    return;
  }
  await answers.run(file, async (signal) => {
    const assistant = await choose(signal);
    if (assistant === undefined) return;
    await answerHere({ file, line: place.line, plan, assistant }, ports, signal);
  });
}

/** There is no cursor in reading view. */
function cursorPosition(view: MarkdownView): CursorPosition {
  if (view.getMode() !== 'source') return {};
  const { editor } = view;
  const offset = (side: 'from' | 'to') => editor.posToOffset(editor.getCursor(side));
  return { line: editor.getCursor().line + 1, selection: [offset('from'), offset('to')] };
}

const nothingToAnswer =
  'This note has no unanswered question. Switch to editing, then use "Ask the assistant here" to write one.';
