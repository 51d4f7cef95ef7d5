import type { ConversationEvent, TurnEnd } from '@errand/assistant';
import type { AssistantConfig } from '@errand/host';
import { fetchOverNode } from '@errand/machine/node';
import {
  type Approvals,
  describeAnswering,
  type NoteAnswers,
  type QuestionPlan,
} from '@errand/workspace/conversations';
import type { TFile } from 'obsidian';
import { notices } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { answerNotes } from './answer-notes.ts';
import { AnswerNotice } from './answer-notice.ts';
import type { AnswerSteps } from './answer-steps.ts';
import type { ApprovalContext } from './ask-approval.ts';
import { askAssistantTrust } from './ask-assistant-trust.ts';

/** Dependencies of the assistant in notes. */
export interface AnswerPorts {
  readonly open: OpenPlugin;
  readonly answers: NoteAnswers<TFile>;
  readonly approvals: Approvals<ApprovalContext>;
  readonly steps: AnswerSteps;
}

/** A question in a note, and who is to answer it. */
export interface QuestionInNote {
  readonly file: TFile;
  readonly line: number | undefined;
  readonly plan: Extract<QuestionPlan, { readonly kind: 'ask' }>;
  readonly assistant: AssistantConfig;
}

/** Lets an assistant answer in a note; the first time, the person is asked about it. */
export async function answerHere(
  { file, line, plan, assistant: config }: QuestionInNote,
  { open: { plugin, vault, activity, questions }, answers, approvals, steps }: AnswerPorts,
  signal: AbortSignal,
): Promise<void> {
  const { app } = plugin;
  const { host, log, attachments, trust, references } = vault;
  if (trust.mayUse(config) !== undefined) {
    if (!(await questions.ask(() => askAssistantTrust(app, config, signal)))) return;
    await trust.agree([], [config]);
  }
  // Only asking needs it, and it is large.
  const { answerInNote, openModel } = await import('@errand/assistant');
  const model = await openModel(config, {
    ...references,
    mayUse: (assistant) => trust.mayUse(assistant),
    fetch: fetchOverNode,
  });
  const { name } = config;
  const { path } = file;
  const answer = {};
  using notice = new AnswerNotice(`${name} is answering…`, path, () => answers.stop(file));
  const onEvent = (event: ConversationEvent) => {
    const words = describeAnswering(name, event);
    if (words !== undefined) notice.say(words);
    if (event.kind === 'notice-given') notices.notify({ ...event, level: 'warning' });
  };
  try {
    const { end } = await answerInNote(
      {
        path,
        ...(line !== undefined && { line }),
        ...(plan.question !== undefined && { question: plan.question }),
      },
      {
        model,
        host,
        log,
        attachments,
        notes: answerNotes(app, vault.folder, file, answer, steps),
        findNote: async (link) => app.metadataCache.getFirstLinkpathDest(link, path)?.path,
        approver: approvals.approverFor({ assistant: name, note: path }),
        sessionOf: (conversation) => activity.sessions.ofConversation(conversation),
      },
      { signal, onEvent },
    );
    tellEnd(end, file);
  } finally {
    steps.finish(answer);
  }
}

/** Reports how the answer ended, unless the person stopped it. */
function tellEnd({ state, message, advice = [] }: TurnEnd, { path }: TFile): void {
  if (message === null || state === 'cancelled') return;
  const level = state === 'failed' ? 'error' : 'warning';
  notices.notify({ level, message: `${path}: ${message}`, advice });
}
