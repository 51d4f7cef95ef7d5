import type { MailDetails } from '@errand/mailroom';
import { describeApproval, explainMail, planApproval, planRejection } from '@errand/workspace/mail';
import { commands, window, workspace } from 'vscode';
import { noteOf } from '../notes/add-running.ts';
import type { OpenExtension } from '../open-extension.ts';
import type { NoteOfVault } from '../vaults.ts';

const mailFolder = /^(?:Needs_Action|Drafts|Approved|Done)\//;

/** Adds the commands for the mail or draft in front of the person. */
export function addMail(open: OpenExtension): void {
  const { context, notices, vaults } = open;
  const register = (id: string, work: (note: NoteOfVault) => Promise<void>) =>
    context.subscriptions.push(
      commands.registerCommand(`errand.mail.${id}`, async () => {
        const note = await noteOf(open);
        if (note !== undefined) await work(note).catch(notices.fail);
      }),
    );
  register('approve', (note) => approve(open, note));
  register('reject', (note) => reject(open, note));
  register('why', (note) => why(open, note));
  // The program that runs the mailroom may have come since.
  context.subscriptions.push(
    window.onDidChangeActiveTextEditor((editor) => {
      const note = editor && vaults.openNoteAt(editor.document.uri);
      if (note !== undefined && mailFolder.test(note.path)) void note.session.mail.refresh();
    }),
  );
}

/** The note as the mailroom knows it, with what was typed last. */
async function shownMail({ session, uri, path }: NoteOfVault): Promise<MailDetails> {
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty) await document.save();
  return session.mail.ask('show', { id: path });
}

async function approve({ notices, questions }: OpenExtension, note: NoteOfVault): Promise<void> {
  const plan = planApproval(await shownMail(note));
  if (plan.kind === 'refused') return notices.notify(plan);
  const { approval, isExpired, subject, text, lines } = plan;
  const ask = (question: string, about: string, yes: string) =>
    questions.ask(async () => {
      const detail = [about, '', ...lines].join('\n');
      return (await window.showInformationMessage(question, { modal: true, detail }, yes)) === yes;
    });
  if (!(await ask('Send this mail?', text, 'Approve and Send'))) return;
  const again = 'Does it still say what you want to say?';
  const tooLong = 'This draft has waited too long, so it asks again.';
  if (isExpired && !(await ask(again, tooLong, 'Send It All the Same'))) return;
  await note.session.mail.ask('approve', approval);
  const board = await note.session.mail.ask('board', { done: 0 }).catch(() => undefined);
  notices.notify(describeApproval(subject, board));
}

async function reject({ notices, questions }: OpenExtension, note: NoteOfVault): Promise<void> {
  const { id, kind, subject, question, text, done } = planRejection(await shownMail(note));
  const yes = kind === 'draft' ? 'Reject' : 'Close It';
  const detail = `${subject}\n\n${text}`;
  const answer = await questions.ask(() =>
    Promise.resolve(window.showWarningMessage(question, { modal: true, detail }, yes)),
  );
  if (answer !== yes) return;
  await note.session.mail.ask('reject', { id });
  notices.notify({ level: 'info', message: done });
}

async function why({ questions }: OpenExtension, note: NoteOfVault): Promise<void> {
  const details = await shownMail(note);
  const id = details.mail?.item.id ?? details.item.id;
  const { title, lines, history } = explainMail(
    details,
    await note.session.mail.ask('why', { id }),
  );
  const detail = [...lines, '', ...history].join('\n');
  await questions.ask(() =>
    Promise.resolve(window.showInformationMessage(title, { modal: true, detail })),
  );
}
