import { oneLine } from '@errand/host';
import { Button } from '@errand/parts/controls';
import { describeUnread } from '@errand/workspace/mail';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MailBoard } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keepFocus } from '../parts/focus-heading.ts';

export interface MailBannerProps {
  readonly board: MailBoard;
  readonly onChanged: () => Promise<void>;
}

/** Why no mail is fetched or sent at the moment, and what to do about it. */
export function MailBanner({ board, onChanged }: MailBannerProps) {
  const { state, problem } = board;
  const because = problem === undefined ? null : <span class="soft">{oneLine(problem, 500)}</span>;
  switch (state) {
    case 'running':
      return null;
    case 'off':
      return (
        <Banner title="No mailbox is set up for this vault.">
          Name a mail server under <code>mail</code> in <code>.errand/settings.json</code>, and log
          in with <code>errand mail login</code>. Until then nothing is fetched and nothing is sent.
        </Banner>
      );
    case 'paused':
      return (
        <Banner title="The mailroom is paused.">
          Nothing is fetched and nothing is sent. You can still read, edit, approve and reject; what
          you approve leaves after Resume.
        </Banner>
      );
    case 'login-lost':
      return (
        <Banner title="The login to the mailbox is lost." isBad>
          What you approve is kept, and leaves once you have logged in again with{' '}
          <code>errand mail login</code> in a terminal. {because}
        </Banner>
      );
    case 'unreachable':
      return (
        <Banner title="The mailbox does not answer." isBad>
          It is tried again by itself. What you approve leaves then. {because}
        </Banner>
      );
    case 'unwritable':
      return (
        <Banner title="The vault cannot be written." isBad>
          Nothing is lost, and nothing is sent meanwhile. It goes on by itself once the vault can be
          written. {because}
        </Banner>
      );
    case 'shared':
      return (
        <Banner title="Workers look after this mailbox.">
          This program fetches and sends nothing. What you approve here is sent by one of them.
        </Banner>
      );
    case 'elsewhere':
      return <Elsewhere board={board} onChanged={onChanged} />;
    case 'first-start':
      return <FirstStart board={board} onChanged={onChanged} />;
  }
}

interface BannerProps {
  readonly title: string;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}

function Banner({ title, isBad = false, children, actions }: BannerProps) {
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      if (banner.current?.contains(document.activeElement)) keepFocus();
    },
    [],
  );
  return (
    <div ref={banner} class={isBad ? 'mail-banner is-bad' : 'mail-banner'} role="status">
      <p>
        <strong>{title}</strong> {children}
      </p>
      {actions && <div class="mail-banner-actions">{actions}</div>}
    </div>
  );
}

function Elsewhere({ board: { machine }, onChanged }: MailBannerProps) {
  const model = useWorkbench();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const name = machine === undefined ? 'Another machine' : oneLine(machine, 100);
  const takeOver = async () => {
    setBusy(true);
    await model.attempt(() => api.mail['take-over'].$post());
    await onChanged();
    setBusy(false);
    setAsking(false);
  };
  return (
    <Banner
      title={`${name} looks after this mailbox.`}
      actions={<Button onClick={() => setAsking(true)}>Take over …</Button>}
    >
      This machine fetches and sends nothing. What you approve here is sent there, once the vault is
      synchronised.
      {isAsking && (
        <Dialog
          title="Take over on this machine?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Leave it there</Button>
              <Button look="primary" isBusy={isBusy} onClick={() => void takeOver()}>
                Take over
              </Button>
            </>
          }
        >
          <p>
            From now on this machine fetches and sends, and <strong>{name}</strong> stops as soon as
            it sees the change in the vault. Stop the mailroom there first if it can still run:
            until the vault is synchronised, both could send what is approved.
          </p>
        </Dialog>
      )}
    </Banner>
  );
}

const days = [1, 7, 30] as const;

function FirstStart({ board, onChanged }: MailBannerProps) {
  const model = useWorkbench();
  const [busy, setBusy] = useState<string>();
  const begin = async (take: 'new' | { readonly days: number }) => {
    setBusy(JSON.stringify(take));
    await model.attempt(() => api.mail.begin.$post({ json: { take } }));
    await onChanged();
    setBusy(undefined);
  };
  const button = (label: string, take: 'new' | { readonly days: number }) => (
    <Button
      look={take === 'new' ? 'primary' : 'plain'}
      isBusy={busy === JSON.stringify(take)}
      onClick={() => void begin(take)}
    >
      {label}
    </Button>
  );
  return (
    <Banner
      title="Which mail should become notes?"
      actions={
        <>
          {button('Only new mail from now on', 'new')}
          {days.map((count) =>
            button(count === 1 ? 'Unread of the last day' : `Unread of the last ${count} days`, {
              days: count,
            }),
          )}
        </>
      }
    >
      {describeUnread(board)}
    </Banner>
  );
}
