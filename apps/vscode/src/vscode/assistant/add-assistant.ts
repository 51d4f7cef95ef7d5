import type { ConversationEvent, TurnEnd } from '@errand/assistant';
import { type AssistantConfig, HostError } from '@errand/host';
import { fetchOverNode, findNote } from '@errand/machine/node';
import {
  Approvals,
  describeAnswering,
  describeAssistant,
  planQuestion,
  type QuestionPlan,
} from '@errand/workspace/conversations';
import { commands, ProgressLocation, type TextEditor, window } from 'vscode';
import { noteOf } from '../notes/add-running.ts';
import { write } from '../notes/add-writing.ts';
import type { OpenExtension } from '../open-extension.ts';
import { type ApprovalContext, askApproval } from '../questions/ask-approval.ts';
import { pickUntil } from '../questions/ask-until.ts';
import type { NoteOfVault } from '../vaults.ts';
import { answerNotes } from './answer-notes.ts';

/** Lets assistants answer in notes. */
export function addAssistant(open: OpenExtension): void {
  const { context, notices, questions } = open;
  const approvals = new Approvals(questions, askApproval);
  context.subscriptions.push(
    commands.registerCommand('errand.ask', () => askHere(open, approvals).catch(notices.fail)),
    commands.registerCommand('errand.stopAnswer', async () => {
      const note = await noteOf(open);
      note?.session.answers.stop(note.path);
    }),
  );
}

/** Asks in a note what is written or selected there, or begins a question. */
async function askHere(open: OpenExtension, approvals: Approvals<ApprovalContext>): Promise<void> {
  const editor = window.activeTextEditor;
  const note = await noteOf(open);
  if (editor === undefined || note === undefined) return;
  const { session, path } = note;
  const { answers, vault } = session;
  answers.ensureFree(path);
  const { servers } = vault.host;
  const line = editor.selection.active.line + 1;
  const plan = planQuestion(editor.document.getText(), cursorOf(editor, line), {
    ...servers.noteContext(path),
    assistants: servers.settings.assistants.map(({ name }) => name),
  });
  if (plan.kind === 'impossible') throw new HostError('block_invalid', plan.message);
  if (plan.kind === 'write') {
    const edits = plan.edit === null ? [] : [plan.edit];
    await write(editor, { edits, selection: [plan.cursor, plan.cursor] });
    const message = 'Write your question, then ask again.';
    return open.notices.notify({ level: 'info', message });
  }
  await answers.run(path, async (signal) => {
    const assistant = await chooseAssistant(servers.settings.assistants, signal);
    if (assistant !== undefined) {
      await answerHere(open, note, { line, plan, assistant }, approvals, signal);
    }
  });
}

function cursorOf({ document, selection }: TextEditor, line: number) {
  const { start, end } = selection;
  return { line, selection: [document.offsetAt(start), document.offsetAt(end)] as const };
}

async function chooseAssistant(
  assistants: readonly AssistantConfig[],
  signal: AbortSignal,
): Promise<AssistantConfig | undefined> {
  if (assistants.length < 2) {
    return (await import('@errand/assistant')).chooseAssistant(assistants);
  }
  const items = assistants.map((assistant) => {
    const { name, model, provider, baseUrl = provider } = assistant;
    return { label: name, description: `${model}, ${baseUrl}`, assistant };
  });
  const asked = { title: 'Ask which assistant?', placeholder: 'Choose an assistant', items };
  return (await pickUntil(asked, signal))?.assistant;
}

interface Question {
  readonly line: number;
  readonly plan: Extract<QuestionPlan, { readonly kind: 'ask' }>;
  readonly assistant: AssistantConfig;
}

/** Lets an assistant answer in a note; the first time, the person is asked about it. */
async function answerHere(
  open: OpenExtension,
  note: NoteOfVault,
  { line, plan, assistant: config }: Question,
  approvals: Approvals<ApprovalContext>,
  signal: AbortSignal,
): Promise<void> {
  const { session, path } = note;
  const { host, log, attachments, trust, references, folder } = session.vault;
  if (trust.mayUse(config) !== undefined) {
    if (!(await open.questions.ask(() => askAssistantTrust(config)))) return;
    await trust.agree([], [config]);
  }
  const { answerInNote, openModel } = await import('@errand/assistant');
  const model = await openModel(config, {
    ...references,
    mayUse: (assistant) => trust.mayUse(assistant),
    fetch: fetchOverNode,
  });
  const { name } = config;
  const location = ProgressLocation.Notification;
  const title = `${name} is answering…`;
  await window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    token.onCancellationRequested(() => session.answers.stop(path));
    const onEvent = (event: ConversationEvent) => {
      const words = describeAnswering(name, event);
      if (words !== undefined) progress.report({ message: words });
      if (event.kind === 'notice-given') open.notices.notify({ ...event, level: 'warning' });
    };
    const { end } = await answerInNote(
      { path, line, ...(plan.question !== undefined && { question: plan.question }) },
      {
        model,
        host,
        log,
        attachments,
        notes: answerNotes(note),
        findNote: (link, asked) => findNote(folder, link, asked),
        approver: approvals.approverFor({ assistant: name, note: path }),
        sessionOf: (conversation) => session.activity.sessions.ofConversation(conversation),
      },
      { signal, onEvent },
    );
    tellEnd(open, end, path);
  });
}

/** Shows where an assistant sends things; resolves with whether the person agrees. */
async function askAssistantTrust(assistant: AssistantConfig): Promise<boolean> {
  const detail = [
    'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    ...describeAssistant(assistant),
  ].join('\n\n');
  const title = `Use assistant "${assistant.name}"?`;
  const agree = 'Agree and Ask';
  return (await window.showWarningMessage(title, { modal: true, detail }, agree)) === agree;
}

/** Reports how the answer ended, unless the person stopped it. */
function tellEnd(
  { notices }: OpenExtension,
  { state, message, advice = [] }: TurnEnd,
  path: string,
): void {
  if (message === null || state === 'cancelled') return;
  const level = state === 'failed' ? 'error' : 'warning';
  notices.notify({ level, message: `${path}: ${message}`, advice });
}
