import { Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { Approvals } from '@errand/workspace/conversations';
import { editorInfoField, MarkdownView } from 'obsidian';
import { showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import type { AnswerPorts } from './answer-here.ts';
import { AnswerSteps } from './answer-steps.ts';
import { askApproval } from './ask-approval.ts';
import { askInNote, type Choose } from './ask-in-note.ts';
import { chooseAssistant } from './choose-assistant.ts';

/** Lets assistants answer in notes. */
export function addAssistant(open: OpenPlugin): void {
  const { plugin, vault, answers } = open;
  const { app } = plugin;
  const steps = new AnswerSteps();
  const approvals = new Approvals(open.questions, askApproval(app));
  const ports: AnswerPorts = { open, answers, steps, approvals };
  const assistants = () => vault.host.servers.settings.assistants;
  // Only asking needs it, and it is large.
  const chooseFirst: Choose = async () =>
    (await import('@errand/assistant')).chooseAssistant(assistants());
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
        void askInNote(note, ports, chooseFirst).catch(showFailure);
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
        void askInNote(note, ports, choose).catch(showFailure);
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
    const file = state.field(editorInfoField, false)?.file;
    return file ? answers.stop(file) : false;
  };
  // Before what else listens for it, but only while an answer is written into this note.
  plugin.registerEditorExtension([
    steps.extension,
    Prec.highest(keymap.of([{ key: 'Escape', run: stop }])),
  ]);
}
