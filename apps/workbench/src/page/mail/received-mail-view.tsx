import { oneLine } from '@errand/host';
import { describeRedactions } from '@errand/workspace/mail';
import type { MailDetails } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { subjectOf } from './mail-card.tsx';
import { MailLabels } from './mail-labels.tsx';
import { MailText } from './mail-text.tsx';
import { MailTime } from './mail-time.tsx';

export interface ReceivedMailViewProps {
  readonly mail: NonNullable<MailDetails['mail']>;
  /** What a person wrote below it. */
  readonly notes: string | undefined;
}

/** The mail that came in, as its note has it. Everything in it is a stranger's text. */
export function ReceivedMailView({ mail, notes }: ReceivedMailViewProps) {
  const { item, from, to, subject, date, body, attachments, redactions } = mail;
  return (
    <section class="panel mail-received" aria-labelledby="mail-received">
      <header>
        <h2 id="mail-received">{subjectOf(subject)}</h2>
        <MailLabels item={item} />
      </header>
      <dl class="mail-fields">
        <div>
          <dt>From</dt>
          <dd>{oneLine(from, 500)}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>{oneLine(to, 500)}</dd>
        </div>
        <div>
          <dt>Came</dt>
          <dd>
            <MailTime at={date} />
          </dd>
        </div>
        {attachments.length > 0 && (
          <div>
            <dt>Attached</dt>
            <dd>{attachments.map((name) => oneLine(name, 100)).join(', ')}</dd>
          </div>
        )}
      </dl>
      {redactions.length > 0 && (
        <p class="small soft">
          {`Taken out before it was stored: ${describeRedactions(redactions)}.`}
        </p>
      )}
      <MailText text={body} />
      {notes !== undefined && notes.trim() !== '' && (
        <details>
          <summary>Your notes</summary>
          <MailText text={notes} />
        </details>
      )}
      <p class="small">
        <a href={hrefTo('notes', item.path)}>Open the note</a>
      </p>
    </section>
  );
}
