import { oneLine } from '@errand/host';
import { Button } from '@errand/parts/controls';
import { describeDraftMistake, explainMailItem } from '@errand/workspace/mail';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure, MailBoard, MailDraft, OutgoingMail } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { MailText } from './mail-text.tsx';
import { unsavedDraft } from './unsaved-drafts.ts';
import { useMailDetails } from './use-mail-details.ts';

export interface ApproveDialogProps {
  readonly id: string;
  readonly board: MailBoard;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows exactly what leaves, and asks whether it may. */
export function ApproveDialog({ id, board, onClose, onDone }: ApproveDialogProps) {
  const { details, failure: unread, reload } = useMailDetails(id);
  // What is shown stays as it is until the person asks for the newer one: nobody approves what they did not read.
  const [shown, setShown] = useState<MailDraft>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  /** The version of an expired draft that was approved once; the second word is about the same one. */
  const [approvedOnce, setApprovedOnce] = useState<string>();
  const approveButton = useRef<HTMLDivElement>(null);
  const current = details?.draft;
  useEffect(() => {
    setShown((known) => known ?? current);
  }, [current]);
  const isNewer = shown !== undefined && current !== undefined && shown.seen !== current.seen;
  const isGone = current !== undefined && current.item.folder !== 'Drafts';
  // Before the person can press a key.
  useLayoutEffect(() => {
    if (shown !== undefined) approveButton.current?.querySelector('button')?.focus();
  }, [shown]);
  const approve = async () => {
    if (shown === undefined || isBusy) return;
    const isExpired = shown.approval === 'expired';
    if (isExpired && approvedOnce !== shown.seen) {
      setApprovedOnce(shown.seen);
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      await api.mail.approve.$post({
        json: { id, seen: shown.seen, ...(isExpired && { evenExpired: true }) },
      });
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
      await reload();
    }
  };
  const mistakes = shown?.mistakes.map(describeDraftMistake) ?? [];
  const isUnsaved = unsavedDraft(id) !== undefined;
  const isSecond = shown?.approval === 'expired' && approvedOnce === shown.seen;
  const canApprove = shown?.leaves !== undefined && !isNewer && !isGone && !isUnsaved;
  return (
    <Dialog
      title="This mail leaves"
      onClose={onClose}
      isWide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          {isNewer && (
            <Button look="primary" onClick={() => setShown(current)}>
              Show the new version
            </Button>
          )}
          <div ref={approveButton} class="mail-approve">
            {canApprove && (
              <Button
                look="primary"
                icon="check"
                isBusy={isBusy}
                onClick={() => void approve()}
                onKeyDown={({ key, repeat }) => {
                  // A key that is held down approves nothing.
                  if (key === 'a' && !repeat) void approve();
                }}
              >
                {isSecond ? 'Send it all the same' : 'Approve and send'}
              </Button>
            )}
          </div>
        </>
      }
    >
      {shown === undefined && unread === undefined && (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
      {unread && (
        <p class="field-error" role="alert">
          {unread.message}
        </p>
      )}
      {isGone && (
        <p class="mail-banner" role="alert">
          {`Somebody else has already dealt with this draft: it is in ${current.item.folder} now.`}
        </p>
      )}
      {!isGone && isNewer && (
        <p class="mail-banner" role="alert">
          Somebody changed this draft while you were reading it. You see the version you opened.
        </p>
      )}
      {isUnsaved && (
        <p class="mail-banner" role="alert">
          You have changed this draft and not saved it. This is what is stored. Save your changes or
          drop them, then approve.
        </p>
      )}
      {mistakes.map((mistake) => (
        <p key={mistake} class="field-error" role="alert">
          {mistake}
        </p>
      ))}
      {shown?.approval !== undefined && !isNewer && (
        <p class="mail-banner">{explainMailItem({ ...shown.item, state: shown.approval })}</p>
      )}
      {shown?.leaves && <Leaving mail={shown.leaves} from={board.mailbox} />}
      {canApprove && isSecond && (
        <p class="mail-banner" role="alert">
          This draft has waited too long, so it asks again. Read it once more: does it still say
          what you want to say?
        </p>
      )}
      {canApprove && board.state !== 'running' && <p class="soft small">{later[board.state]}</p>}
      {failure && !isNewer && !isGone && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}

const later: Readonly<Record<Exclude<MailBoard['state'], 'running'>, string>> = {
  off: 'No mailbox is set up: it stays in Approved.',
  'first-start':
    'Nobody has said yet which mail should become notes. After that, this draft asks again.',
  elsewhere: 'The other machine sends it once the vault is synchronised.',
  shared: 'A worker sends it when it looks at the folders next.',
  paused: 'The mailroom is paused: it leaves after Resume.',
  'login-lost': 'The login is lost: it leaves once you have logged in again.',
  unwritable: 'The vault cannot be written: it leaves once it can.',
  unreachable: 'The mailbox does not answer: it leaves when it does.',
};

/** To the letter: what is written here is what is sent. */
function Leaving({
  mail,
  from,
}: {
  readonly mail: OutgoingMail;
  readonly from?: string | undefined;
}) {
  const { to, cc, bcc, subject, body } = mail;
  const fields = { From: from, To: to, Cc: cc, Bcc: bcc, Subject: subject };
  return (
    // Focusable, so that a long text can be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="mail-leaving" aria-label="What leaves" tabIndex={0}>
      <dl>
        {Object.entries(fields).map(
          ([name, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{oneLine(value)}</dd>
              </div>
            ),
        )}
      </dl>
      <MailText text={body} />
    </section>
  );
}
