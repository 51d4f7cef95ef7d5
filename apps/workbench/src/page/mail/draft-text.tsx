import { oneLine } from '@errand/host';
import type { MailDraft } from '../../contract.ts';
import { MailText } from './mail-text.tsx';

/** As it would leave; what cannot be sent as it stands in the note. */
export function DraftText({ draft: { leaves, written } }: { readonly draft: MailDraft }) {
  const { to, cc, bcc, subject, body } = leaves ?? written;
  const { frontmatter } = written;
  const fields = { To: to, Cc: cc, Bcc: bcc, Subject: subject };
  return (
    <>
      <dl class="mail-fields">
        {Object.entries(fields).map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{oneLine(value)}</dd>
              </div>
            ),
        )}
      </dl>
      {frontmatter !== undefined && <MailText text={frontmatter} />}
      <MailText text={body} />
    </>
  );
}
