import type { WorkbenchEvent } from '../../contract.ts';

const mailFolder = /^(?:Needs_Action|Drafts|Approved|Done)\//;

/** Whether the board may be another after an event; people also move notes with other programs. */
export function touchesMail(event: WorkbenchEvent): boolean {
  switch (event.kind) {
    case 'mail-changed':
    case 'reload':
      return true;
    case 'notes-changed':
      return [...event.added, ...event.removed].some((path) => mailFolder.test(path));
    case 'note-changed':
      return mailFolder.test(event.path);
    default:
      return false;
  }
}
