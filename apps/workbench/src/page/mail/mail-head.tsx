import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Failure, MailBoard } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Countdown } from '../parts/time.tsx';
import { MailBanner } from './mail-banner.tsx';

export interface MailHeadProps {
  readonly board: MailBoard;
  /** Why the board could not be read again. */
  readonly failure: Failure | undefined;
  readonly onChanged: () => Promise<void>;
}

/** Whose mail it is, what waits, when the mailbox is looked at next, and what keeps it from that. */
export function MailHead({ board, failure, onChanged }: MailHeadProps) {
  const model = useWorkbench();
  const [busy, setBusy] = useState<'run' | 'pause'>();
  const { state, mailbox, counts } = board;
  const attempt = async (what: 'run' | 'pause', work: () => Promise<unknown>) => {
    setBusy(what);
    await model.attempt(work);
    await onChanged();
    setBusy(undefined);
  };
  const isPaused = state === 'paused';
  const canRun = ['running', 'unreachable', 'login-lost', 'unwritable'].includes(state);
  return (
    <>
      <header class="page-head mail-head">
        <div class="mail-title">
          <h1>Mail</h1>
          {mailbox !== undefined && <span class="soft">{mailbox}</span>}
        </div>
        <dl class="mail-counts" aria-label="What waits">
          <Count name="For you" value={counts.waiting} />
          <Count name="Leaving" value={counts.leaving} />
          <Count name="Wrong" value={counts.wrong} isBad />
        </dl>
        <div class="mail-tools">
          {canRun && <NextRound board={board} />}
          {canRun && (
            <Button
              icon="redo"
              isBusy={busy === 'run'}
              onClick={() => void attempt('run', () => api.mail.run.$post())}
            >
              Check now
            </Button>
          )}
          {(canRun || isPaused) && (
            <Button
              icon={isPaused ? 'play' : 'pause'}
              look={isPaused ? 'primary' : 'plain'}
              isBusy={busy === 'pause'}
              onClick={() =>
                void attempt('pause', () =>
                  isPaused ? api.mail.resume.$post() : api.mail.pause.$post(),
                )
              }
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          )}
        </div>
      </header>
      {failure !== undefined && (
        <p
          class="mail-banner is-bad"
          role="alert"
        >{`This may be out of date: ${failure.message}`}</p>
      )}
      <MailBanner board={board} onChanged={onChanged} />
    </>
  );
}

interface CountProps {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
}

function Count({ name, value, isBad = false }: CountProps) {
  return (
    <div class={value > 0 ? (isBad ? 'is-bad' : 'is-some') : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function NextRound({ board: { nextRoundAt } }: Pick<MailHeadProps, 'board'>) {
  const at = Date.parse(nextRoundAt ?? '');
  if (Number.isNaN(at)) return null;
  return (
    <span class="soft small mail-next">
      Next look <Countdown until={at} />
    </span>
  );
}
