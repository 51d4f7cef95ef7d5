import { escapeControls } from '@errand/document/display';

/** Text of a mail, all of it, with what hides or turns letters around spelled out. */
export function MailText({ text }: { readonly text: string }) {
  return <pre class="mail-text">{escapeControls(text)}</pre>;
}
