import { foreignLines, foreignName } from '@errand/host';
import type { AskPerson, CallVerdict } from '@errand/workspace/conversations';
import { approvalReasons } from '@errand/workspace/text';
import { type App, Modal, Setting } from 'obsidian';
import { openUntil } from './open-until.ts';

/** The assistant that requests a call, and its note. */
export interface ApprovalContext {
  readonly assistant: string;
  readonly note: string;
}

/** Asks for approval of a tool call; closing the dialog denies it. */
export function askApproval(app: App): AskPerson<ApprovalContext> {
  return (question, signal) =>
    new Promise((resolve) => {
      const { assistant, note, server, tool, description, parameters } = question;
      const { isDestructive, because } = question;
      const modal = new Modal(app);
      modal.setTitle(`Let ${assistant} call ${server} ${foreignName(tool)}?`);
      const { contentEl } = modal;
      contentEl.createEl('p', { text: `${assistant} asks for it in ${note}.` });
      const [about = ''] = description.trim().split('\n');
      if (about !== '') {
        contentEl.createEl('p', { cls: 'errand-call-about', text: `${server} says of it:` });
        showForeign(contentEl, about);
      }
      showParameters(contentEl, parameters);
      if (isDestructive) {
        const text = 'It may change or delete something.';
        contentEl.createEl('p', { cls: 'errand-call-warning', text });
      }
      if (because !== 'writes') contentEl.createEl('p', { text: approvalReasons[because] });
      let verdict: CallVerdict = 'deny';
      const buttons = new Setting(contentEl);
      for (const [label, said] of choices) {
        buttons.addButton((button) => {
          button.setButtonText(label).onClick(() => {
            verdict = said;
            modal.close();
          });
          if (said === 'once') button.setCta();
        });
      }
      openUntil(modal, signal, () => resolve(verdict));
    });
}

const choices: readonly (readonly [label: string, verdict: CallVerdict])[] = [
  ['Allow once', 'once'],
  ['Allow for this conversation', 'conversation'],
  ['Deny', 'deny'],
];

/** Shows a server's text as a quotation, so that it does not pass for ours. */
function showForeign(el: HTMLElement, text: string): void {
  const shown = foreignLines(text).join('\n');
  el.createEl('blockquote', { cls: 'errand-from-server', text: shown });
}

function showParameters(el: HTMLElement, parameters: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(parameters);
  if (entries.length === 0) {
    el.createEl('p', { text: 'Without parameters.' });
    return;
  }
  const list = el.createEl('dl', { cls: 'errand-card-params errand-call-params' });
  for (const [name, value] of entries) {
    list.createEl('dt', { text: foreignName(name) });
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    list.createEl('dd', { text: foreignLines(text).join('\n') });
  }
}
