import { Button } from '@errand/parts/controls';
import { useRef, useState } from 'preact/hooks';
import type { MailBoard, MailFolder, MailItem } from '../../contract.ts';
import { goTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { withdraw } from './mail-actions.ts';
import { MailCard } from './mail-card.tsx';
import { MailDialogs, type MailQuestion } from './mail-dialogs.tsx';
import { folderNames, folders, mailGroups, moveTo, neighbour } from './mail-order.ts';
import { MailKeyHelp, useMailKeys } from './use-mail-keys.tsx';

export interface MailBoardViewProps {
  readonly board: MailBoard;
  readonly onChanged: () => Promise<void>;
  /** Shows more of Done. */
  readonly onMore: () => void;
}

/** The folders side by side. Notes are dragged from one to another, or moved with their buttons. */
export function MailBoardView({ board: current, onChanged, onMore }: MailBoardViewProps) {
  const model = useWorkbench();
  const [dragged, setDragged] = useState<MailItem>();
  // What a drop means is known before the columns are drawn again.
  const held = useRef<MailItem | undefined>(undefined);
  // A card that moves in the page ends its drag: news wait until it is dropped.
  const last = useRef(current);
  if (dragged === undefined) last.current = current;
  const board = last.current;
  const drag = (item: MailItem | undefined) => {
    held.current = item;
    setDragged(item);
  };
  const [question, setQuestion] = useState<MailQuestion>();
  const all = folders.flatMap((folder) => board.folders[folder]);
  const ask = async (kind: 'approve' | 'reject' | 'withdraw', item: MailItem) => {
    if (kind !== 'withdraw') return setQuestion({ kind, item });
    await model.attempt(() => withdraw(item));
    await onChanged();
  };
  const drop = (folder: MailFolder) => {
    const item = held.current;
    const move = item && moveTo(item, folder);
    if (item && move) void ask(move, item);
    drag(undefined);
  };
  const groups = mailGroups(board);
  const open = (item: MailItem | undefined) => item && goTo('mail', item.id);
  useMailKeys({
    j: () => open(neighbour(groups, undefined, 1)),
    k: () => open(neighbour(groups, undefined, 1)),
  });
  return (
    <>
      <div class="mail-board">
        {folders.map((folder) => {
          const items = board.folders[folder];
          const total = folder === 'Done' ? board.doneCount : items.length;
          const isTarget = dragged !== undefined && moveTo(dragged, folder) !== undefined;
          return (
            <section
              key={folder}
              class={isTarget ? 'mail-column is-target' : 'mail-column'}
              aria-labelledby={`mail-${folder}`}
              onDragOver={(event) => {
                if (held.current && moveTo(held.current, folder)) event.preventDefault();
              }}
              onDrop={(event) => {
                event.preventDefault();
                drop(folder);
              }}
            >
              <h2 id={`mail-${folder}`}>
                {folderNames[folder]} <span class="soft">{total}</span>
              </h2>
              {items.length === 0 && <p class="soft small mail-empty">{empty[folder]}</p>}
              <ul>
                {items.map((item) => (
                  <MailCard
                    key={item.path}
                    item={item}
                    onAsk={(kind) => void ask(kind, item)}
                    onDrag={(isDragged) => drag(isDragged ? item : undefined)}
                  />
                ))}
              </ul>
              {folder === 'Done' && items.length < total && (
                <Button
                  isSmall
                  onClick={onMore}
                >{`Show more (${total - items.length} left)`}</Button>
              )}
            </section>
          );
        })}
      </div>
      {all.length > 0 && <MailKeyHelp keys={['j', 'k']} />}
      <MailDialogs
        question={question}
        board={board}
        onClose={() => setQuestion(undefined)}
        onDone={onChanged}
      />
    </>
  );
}

const empty: Readonly<Record<MailFolder, string>> = {
  Needs_Action: 'New mail appears here.',
  Drafts: 'No reply waits for you.',
  Approved: 'Nothing is about to leave.',
  Done: 'What is finished appears here.',
};
