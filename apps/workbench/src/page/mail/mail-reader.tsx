import { Button, Icon } from '@errand/parts/controls';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure, MailBoard, MailItem } from '../../contract.ts';
import { goTo, hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { keepFocus } from '../parts/focus-heading.ts';
import { DraftView } from './draft-view.tsx';
import { withdraw } from './mail-actions.ts';
import { MailDialogs, type MailQuestion } from './mail-dialogs.tsx';
import { MailList } from './mail-list.tsx';
import {
  type MailGroup,
  type MailMove,
  mailGroups,
  moveTo,
  neighbour,
  nextAfter,
} from './mail-order.ts';
import { ReceivedMailView } from './received-mail-view.tsx';
import { LateAnswer, LateEdit } from './typed-too-late.tsx';
import { UndraftedMail } from './undrafted-mail.tsx';
import { useMailDetails } from './use-mail-details.ts';
import { MailKeyHelp, useMailKeys } from './use-mail-keys.tsx';
import { WhyPanel } from './why-panel.tsx';

export interface MailReaderProps {
  readonly id: string;
  readonly board: MailBoard;
  readonly onChanged: () => Promise<void>;
}

/** A mail and its draft side by side, beside the list of all that waits. */
export function MailReader({ id, board, onChanged }: MailReaderProps) {
  const model = useWorkbench();
  const { details, failure, reload } = useMailDetails(id);
  const [question, setQuestion] = useState<MailQuestion>();
  const [isEditing, setEditing] = useState(false);
  const [isWhyOpen, setWhyOpen] = useState(false);
  const groups = mailGroups(board);
  const go = (item: MailItem | undefined) => item && goTo('mail', item.id);
  const draft = details?.draft;
  const current = draft?.item ?? details?.mail?.item ?? details?.item;
  useEffect(() => {
    setEditing(false);
    setWhyOpen(false);
  }, [id]);
  const isShown = details !== undefined;
  useEffect(() => {
    // Nothing has a heading before it is loaded.
    if (isShown) keepFocus('.mail-reading h2');
  }, [id, isShown]);
  const changed = async () => {
    await Promise.all([reload(), onChanged()]);
  };
  const ask = async (kind: MailMove, item: MailItem) => {
    if (kind !== 'withdraw') return setQuestion({ kind, item });
    await model.attempt(() => withdraw(item));
    await changed();
  };
  const canApprove = draft !== undefined && moveTo(draft.item, 'Approved') === 'approve';
  const canReject = current !== undefined && moveTo(current, 'Done') === 'reject';
  const canEdit = draft !== undefined && isEditable(draft.item);
  const canAnswer = !draft && canReject;
  // A draft that has left its mail is still the one that was edited here.
  const drafted = useRef({ id, draftId: id });
  if (draft !== undefined) drafted.current = { id, draftId: draft.item.id };
  else if (drafted.current.id !== id) drafted.current = { id, draftId: id };
  const isLoaded = details !== undefined || failure !== undefined;
  useMailKeys({
    j: () => go(neighbour(groups, listedId(groups, current) ?? id, 1)),
    k: () => go(neighbour(groups, listedId(groups, current) ?? id, -1)),
    u: () => goTo('mail'),
    w: () => setWhyOpen(!isWhyOpen),
    ...(canEdit && { e: () => setEditing(true) }),
    ...(canApprove && { a: () => void ask('approve', draft.item) }),
    ...(canReject && { r: () => void ask('reject', current) }),
  });
  const done = ({ item }: MailQuestion) => {
    const next = nextAfter(groups, item.id);
    void onChanged();
    if (next !== undefined) go(next);
    else goTo('mail');
  };
  return (
    <div class="mail-reader">
      <div class="mail-side">
        <a class="back-link" href={hrefTo('mail')}>
          <Icon name="back" /> Board
        </a>
        <MailList groups={groups} current={listedId(groups, current) ?? id} />
      </div>
      <div class="mail-reading">
        {isLoaded && !canEdit && <LateEdit id={drafted.current.draftId} item={draft?.item} />}
        {isLoaded && !canAnswer && <LateAnswer id={details?.mail?.item.id ?? id} />}
        {details === undefined ? (
          <Missing failure={failure} onRetry={() => void reload()} />
        ) : (
          <>
            {failure !== undefined && (
              <p class="mail-banner is-bad" role="alert">
                {`This may be out of date: ${failure.message}`}
              </p>
            )}
            <div class="mail-pair">
              {details.mail && <ReceivedMailView mail={details.mail} notes={details.notes} />}
              {draft && (
                <DraftView
                  key={draft.item.id}
                  draft={draft}
                  isEditing={isEditing}
                  canEdit={canEdit}
                  onEdit={setEditing}
                  onAsk={(kind) => void ask(kind, draft.item)}
                  onChanged={changed}
                />
              )}
              {!draft && current && (
                <UndraftedMail
                  key={current.id}
                  item={current}
                  onReject={() => void ask('reject', current)}
                  onChanged={changed}
                />
              )}
            </div>
            <WhyPanel
              key={id}
              id={details.mail?.item.id ?? id}
              isOpen={isWhyOpen}
              onToggle={setWhyOpen}
            />
            <MailKeyHelp keys={['j', 'k', 'e', 'a', 'r', 'w', 'u']} />
          </>
        )}
      </div>
      <MailDialogs
        question={question}
        board={board}
        onClose={() => setQuestion(undefined)}
        onDone={done}
      />
    </div>
  );
}

interface MissingProps {
  readonly failure: Failure | undefined;
  readonly onRetry: () => void;
}

function Missing({ failure, onRetry }: MissingProps) {
  if (failure === undefined) {
    return (
      <p class="soft" role="status">
        Loading …
      </p>
    );
  }
  const { code, message } = failure;
  // Errand could not be asked: that says nothing about the mail.
  const isUnknown = code === 'unreachable' || code === 'forbidden';
  return (
    <EmptyState
      icon={isUnknown ? 'warning' : 'mail'}
      title={isUnknown ? 'This mail cannot be shown' : 'This mail is not here any more'}
    >
      <p>
        {message} <a href={hrefTo('mail')}>See the board</a>
      </p>
      {isUnknown && <Button onClick={onRetry}>Try again</Button>}
    </EmptyState>
  );
}

/** The list shows a draft instead of the mail that it answers. */
function listedId(groups: readonly MailGroup[], item: MailItem | undefined): string | undefined {
  const isListed = (id: string | undefined) =>
    groups.some(({ items }) => items.some((each) => each.id === id));
  return [item?.id, item?.relatedId].find(isListed);
}

/** What is being sent, was sent or cannot be read is left alone. */
function isEditable({ folder, state }: MailItem): boolean {
  if (['unclear', 'unreadable', 'misplaced'].includes(state)) return false;
  return folder === 'Drafts' || folder === 'Approved';
}
