import { oneLine } from '@errand/host';
import { describeMailReasons } from '@errand/workspace/mail';
import { useEffect, useState } from 'preact/hooks';
import type { Failure, MailReasons } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { MailTime } from './mail-time.tsx';

export interface WhyPanelProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Why a mail was treated as it was, and what happened to it. */
export function WhyPanel({ id, isOpen, onToggle }: WhyPanelProps) {
  const [reasons, setReasons] = useState<MailReasons>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    if (!isOpen) return;
    const closing = new AbortController();
    api.mail.why.$get({ query: { id } }, closing.signal).then(
      (loaded) => setReasons(loaded),
      (error) => !closing.signal.aborted && setFailure(failureOf(error)),
    );
    return () => closing.abort();
  }, [id, isOpen]);
  return (
    <details
      class="panel mail-why"
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary>Why</summary>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
      {reasons && (
        <>
          <ul>
            {describeMailReasons(reasons).map((reason) => (
              <li key={reason}>{oneLine(reason, 2_000)}</li>
            ))}
          </ul>
          {reasons.history.length > 0 && (
            <>
              <h3>What happened</h3>
              <ol class="mail-history small">
                {reasons.history.map(({ timestamp, event, severity, text }) => (
                  <li key={`${timestamp} ${event} ${text}`} class={`is-${severity.toLowerCase()}`}>
                    <MailTime at={timestamp} />
                    <code>{oneLine(event, 60)}</code>
                    {text !== undefined && <span>{oneLine(text, 300)}</span>}
                  </li>
                ))}
              </ol>
            </>
          )}
        </>
      )}
    </details>
  );
}
