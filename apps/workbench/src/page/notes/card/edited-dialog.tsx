import { Button } from '@errand/parts/controls';
import { Dialog } from '../../parts/dialog.tsx';
import type { OpenNote } from '../model/open-note.ts';

export interface EditedDialogProps {
  readonly opened: OpenNote;
  readonly blockKey: string;
  readonly onClose: () => void;
}

/** Asks before an edited answer is replaced. */
export function EditedDialog({ opened, blockKey, onClose }: EditedDialogProps) {
  const answer = (work: () => Promise<void>) => () => {
    onClose();
    void work();
  };
  return (
    <Dialog
      title="This answer was edited by hand"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={answer(() => opened.keepResult(blockKey))}>Keep mine</Button>
          <Button
            look="danger"
            onClick={answer(() => opened.run({ keys: [blockKey], force: true }))}
          >
            Replace it
          </Button>
        </>
      }
    >
      <p>
        <strong>Keep mine</strong> turns it into ordinary text of your note. The block then has no
        answer and can be run again.
      </p>
      <p>
        <strong>Replace it</strong> runs the block and replaces the answer. Your edits are lost.
      </p>
    </Dialog>
  );
}
