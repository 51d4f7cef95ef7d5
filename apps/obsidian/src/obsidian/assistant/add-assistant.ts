import { Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { type AssistantConfig, HostError } from '@errand/host';
import { MarkdownView, type TFile } from 'obsidian';
import { Approvals } from '../../approvals.ts';
import type { NoteAnswers } from '../../note-answers.ts';
import { planQuestion } from '../../plan-question.ts';
import { editorInfo } from '../editor-info.ts';
import { notices, tellFailure } from '../notices.ts';
import { writeInOneStep } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { answerHere } from './answer-here.ts';
import { AnswerSteps } from './answer-steps.ts';
import { askApproval } from './ask-approval.ts';
import { chooseAssistant } from './choose-assistant.ts';

/** What answers in notes are made with. */
export interface AnswerDesk {
  readonly open: OpenPlugin;
  readonly answers: NoteAnswers<TFile>;
  readonly approvals: Approvals;
  readonly steps: AnswerSteps;
}

/** Lets assistants answer in notes. */
export function addAssistant(open: OpenPlugin): void {
  const { plugin, vault, answers } = open;
  const { app } = plugin;
  const steps = new AnswerSteps();
  const desk: AnswerDesk = { open, answers, steps, approvals: new Approvals(askApproval(app)) };
  const assistants = () => vault.host.servers.settings.assistants;
  const noteHere = () => {
    const view = app.workspace.getActiveViewOfType(MarkdownView);
    return view?.file ? { view, file: view.file } : undefined;
  };
  plugin.addCommand({
    id: 'ask',
    name: 'Ask the assistant here',
    checkCallback: (checking) => {
      const note = noteHere();
      if (note !== undefined && !checking) {
        void ask(note.view, note.file, desk, () => first(assistants())).catch(tellFailure);
      }
      return note !== undefined;
    },
  });
  plugin.addCommand({
    id: 'ask-other',
    name: 'Ask another assistant here',
    checkCallback: (checking) => {
      const note = assistants().length > 1 ? noteHere() : undefined;
      if (note !== undefined && !checking) {
        const choose: Choose = (signal) => chooseAssistant(app, assistants(), signal);
        void ask(note.view, note.file, desk, choose).catch(tellFailure);
      }
      return note !== undefined;
    },
  });
  plugin.addCommand({
    id: 'stop-answer',
    name: 'Stop the answer in this note',
    checkCallback: (checking) => {
      const note = noteHere();
      if (note === undefined || !answers.isAnswering(note.file)) return false;
      if (!checking) answers.stop(note.file);
      return true;
    },
  });
  const stop = ({ state }: EditorView) => {
    const file = editorInfo(state)?.file;
    return file ? answers.stop(file) : false;
  };
  // Before what else listens for it, but only while an answer is written into this note.
  plugin.registerEditorExtension([
    steps.extension,
    Prec.highest(keymap.of([{ key: 'Escape', run: stop }])),
  ]);
}

/** Says who is to answer; nothing when nobody is. */
type Choose = (signal: AbortSignal) => Promise<AssistantConfig | undefined> | AssistantConfig;

/** Asks in a note what is written or selected there, or begins a question. */
async function ask(
  view: MarkdownView,
  file: TFile,
  desk: AnswerDesk,
  choose: Choose,
): Promise<void> {
  const { editor } = view;
  const isEditing = view.getMode() === 'source';
  const { host } = desk.open.vault;
  const line = isEditing ? { line: editor.getCursor().line + 1 } : {};
  const selection =
    isEditing &&
    ({
      selection: [
        editor.posToOffset(editor.getCursor('from')),
        editor.posToOffset(editor.getCursor('to')),
      ],
    } as const);
  const plan = planQuestion(
    view.getViewData(),
    { ...line, ...selection },
    {
      servers: host.servers.list(),
      documentPath: file.path,
      assistants: host.servers.settings.assistants.map(({ name }) => name),
    },
  );
  if (plan.kind === 'impossible') throw new HostError('block_invalid', plan.message);
  if (plan.kind === 'write') {
    if (!isEditing) throw new HostError('block_invalid', nothingToAnswer);
    if (plan.edit !== null) writeInOneStep(editor, [plan.edit]);
    editor.setCursor(editor.offsetToPos(plan.cursor));
    editor.focus();
    notices.notify({ level: 'info', message: 'Write your question, then ask again.' });
    return;
  }
  await desk.answers.run(file, async (signal) => {
    const assistant = await choose(signal);
    if (assistant === undefined) return;
    await answerHere({ file, ...line, plan, assistant }, desk, signal);
  });
}

function first([assistant]: readonly AssistantConfig[]): AssistantConfig {
  if (assistant !== undefined) return assistant;
  throw new HostError('settings_invalid', noAssistant);
}

const nothingToAnswer =
  'No question waits for an answer in this note. Switch to editing, then use "Ask the assistant here" to write one.';

const noAssistant =
  'No assistant is set up. Add one in the settings of Errand: a model of Ollama on this computer, or one of a provider with a key.';
