import type { MailDetails } from '@errand/mailroom';
import { describeApproval, explainMail, planApproval, planRejection } from '@errand/workspace/mail';
import type { TFile } from 'obsidian';
import { notices, showFailure } from '../notices.ts';
import { viewsOf } from '../open-notes.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { confirm } from '../settings/confirm.ts';
import { showText } from './show-text.ts';

const mailFolder = /^(?:Needs_Action|Drafts|Approved|Done)\//;

/** Adds the commands for the mail or draft in front of the person. */
export function addMail(open: OpenPlugin): void {
  const { plugin } = open;
  const ofNote = (id: string, name: string, run: (file: TFile) => Promise<void>) =>
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const file = plugin.app.workspace.getActiveFile();
        if (file?.extension !== 'md' || !mailFolder.test(file.path)) return false;
        if (!checking) void run(file).catch(showFailure);
        return true;
      },
    });
  // The program that runs the mailroom may have come since.
  plugin.registerEvent(
    plugin.app.workspace.on('file-open', (file) => {
      if (file !== null && mailFolder.test(file.path)) void open.vault.mail.refresh();
    }),
  );
  ofNote('approve-mail', 'Approve draft', (file) => approve(open, file));
  ofNote('reject-mail', 'Reject draft, or close mail', (file) => reject(open, file));
  ofNote('why-mail', 'Why was this mail treated so', (file) => why(open, file));
}

/** The note as the mailroom knows it, with what was typed last. */
async function shownMail({ plugin, vault }: OpenPlugin, { path }: TFile): Promise<MailDetails> {
  for (const view of viewsOf(plugin.app, path)) await view.save();
  return vault.mail.ask('show', { id: path });
}

async function approve(open: OpenPlugin, file: TFile): Promise<void> {
  const plan = planApproval(await shownMail(open, file));
  if (plan.kind === 'refused') return notices.notify(plan);
  const { approval, isExpired, subject, text, lines } = plan;
  const isApproved = await open.questions.ask(() =>
    confirm(open.plugin.app, {
      title: 'Send this mail?',
      text,
      lines: lines.map((line) => line || ' '),
      yes: 'Approve and send',
      no: 'Not now',
      isHarmful: false,
    }),
  );
  if (!isApproved) return;
  if (isExpired && !(await isMeantStill(open, lines))) return;
  await open.vault.mail.ask('approve', approval);
  const board = await open.vault.mail.ask('board', { done: 0 }).catch(() => undefined);
  notices.notify(describeApproval(subject, board));
}

/** A draft that waited too long asks twice. */
function isMeantStill(open: OpenPlugin, lines: readonly string[]): Promise<boolean> {
  return open.questions.ask(() =>
    confirm(open.plugin.app, {
      title: 'Does it still say what you want to say?',
      text: 'This draft has waited too long, so it asks again.',
      lines: lines.map((line) => line || ' '),
      yes: 'Send it all the same',
      no: 'Not now',
      isHarmful: false,
    }),
  );
}

async function reject(open: OpenPlugin, file: TFile): Promise<void> {
  const { id, kind, subject, question, text, done } = planRejection(await shownMail(open, file));
  const isConfirmed = await open.questions.ask(() =>
    confirm(open.plugin.app, {
      title: question,
      text,
      lines: [subject],
      yes: kind === 'draft' ? 'Reject' : 'Close it',
      no: 'Keep it',
      isHarmful: true,
    }),
  );
  if (!isConfirmed) return;
  await open.vault.mail.ask('reject', { id });
  notices.notify({ level: 'info', message: done });
}

async function why(open: OpenPlugin, file: TFile): Promise<void> {
  const shown = await shownMail(open, file);
  const id = shown.mail?.item.id ?? shown.item.id;
  const { title, lines, history } = explainMail(shown, await open.vault.mail.ask('why', { id }));
  await open.questions.ask(() => showText(open.plugin.app, { title, lines, details: history }));
}
