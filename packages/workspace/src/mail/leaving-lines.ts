import { foreignLines, oneLine } from '@errand/host';
import type { OutgoingMail } from '@errand/mailroom';

/** Exactly what leaves, as lines of text: nothing hides in it, and nothing is left out. */
export function leavingLines({ to, cc, bcc, subject, body }: OutgoingMail): readonly string[] {
  const fields = { To: to, Cc: cc, Bcc: bcc, Subject: subject };
  const head = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}: ${oneLine(value)}`],
  );
  return [...head, '', ...foreignLines(body)];
}
