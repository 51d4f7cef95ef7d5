import { Button } from '@errand/parts/controls';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { MailItem } from '../../contract.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { keepFocus } from '../parts/focus-heading.ts';
import { folderNames } from './mail-order.ts';
import { MailText } from './mail-text.tsx';
import {
  type DraftFields,
  keepAnswer,
  keepUnsaved,
  unsavedAnswer,
  unsavedDraft,
} from './unsaved-drafts.ts';

export interface LateEditProps {
  readonly id: string;
  /** The draft as it is now, where it still exists. */
  readonly item: MailItem | undefined;
}

/** An edit of a draft that can no longer be changed. */
export function LateEdit({ id, item }: LateEditProps) {
  const edit = unsavedDraft(id);
  if (edit === undefined) return null;
  const now = item === undefined ? 'it is gone' : `it is in ${folderNames[item.folder]} now`;
  return (
    <TypedTooLate
      text={textOf(edit.fields)}
      because={`This draft can no longer be changed: ${now}. What you typed was not saved.`}
      onClose={() => keepUnsaved(id, undefined)}
    />
  );
}

/** What the model should have known about a mail that nobody is asked about any more. */
export function LateAnswer({ id }: { readonly id: string }) {
  const answer = unsavedAnswer(id);
  if (answer === '') return null;
  return (
    <TypedTooLate
      text={answer}
      because="This mail has been dealt with meanwhile. The model was not told what you typed."
      onClose={() => keepAnswer(id, '')}
    />
  );
}

interface TypedTooLateProps {
  readonly text: string;
  /** Why it can no longer be saved. */
  readonly because: string;
  readonly onClose: () => void;
}

/** Text that can no longer be saved, to copy from until the person closes it. */
function TypedTooLate({ text, because, onClose }: TypedTooLateProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The field that had the focus is gone. If another control has it, it stays there.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <section class="panel mail-typed" aria-labelledby={id}>
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          What you typed
        </h2>
        <div class="mail-actions">
          <CopyButton text={text} what="text you typed" />
          <Button
            isSmall
            onClick={() => {
              onClose();
              keepFocus('.mail-pair h2');
            }}
          >
            Close
          </Button>
        </div>
      </header>
      <p role="alert">{because}</p>
      <MailText text={text} />
    </section>
  );
}

function textOf({ to, cc, bcc, subject, body }: DraftFields): string {
  const lines = Object.entries({ To: to, Cc: cc, Bcc: bcc, Subject: subject }).flatMap(
    ([name, value]) => (value === '' ? [] : [`${name}: ${value}`]),
  );
  return `${lines.join('\n')}\n\n${body}`;
}
