import type { MailBoard, MailItem } from '../../contract.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';

/** What a person is asked before a note moves. */
export interface MailQuestion {
  readonly kind: 'approve' | 'reject';
  readonly item: MailItem;
}

export interface MailDialogsProps {
  readonly question: MailQuestion | undefined;
  readonly board: MailBoard;
  readonly onClose: () => void;
  /** The note has moved. */
  readonly onDone: (question: MailQuestion) => void;
}

/** The dialog of the question that is open. */
export function MailDialogs({ question, board, onClose, onDone }: MailDialogsProps) {
  if (question === undefined) return null;
  const done = () => {
    onClose();
    onDone(question);
  };
  const { kind, item } = question;
  return kind === 'approve' ? (
    <ApproveDialog id={item.id} board={board} onClose={onClose} onDone={done} />
  ) : (
    <RejectDialog item={item} onClose={onClose} onDone={done} />
  );
}
