import { Button } from '@errand/parts/controls';
import { Dialog } from '../parts/dialog.tsx';
import './compare-dialog.css';
import { difference } from '@errand/document/display';
import { plainLineEnds } from './model/line-ends.ts';
import type { OpenNote } from './model/open-note.ts';

export type CompareChoice = 'compare' | 'mine' | 'file' | 'discard';

export interface CompareDialogProps {
  readonly opened: OpenNote;
  readonly choice: CompareChoice;
  readonly onClose: () => void;
}

/** Shows where the unsaved text and the file differ, and confirms before either is discarded. */
export function CompareDialog({ opened, choice, onClose }: CompareDialogProps) {
  const mine = opened.draft.value?.text ?? '';
  const file = opened.note.value?.text ?? '';
  const act = (work: () => void) => () => {
    onClose();
    work();
  };
  return (
    <Dialog
      title={titles[choice]}
      onClose={onClose}
      isWide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          {choice !== 'mine' && (
            <Button
              look={choice === 'compare' ? 'plain' : 'danger'}
              onClick={act(() => opened.discard())}
            >
              {choice === 'discard' ? 'Discard mine' : 'Use the file, discard mine'}
            </Button>
          )}
          {(choice === 'compare' || choice === 'mine') && (
            <Button
              look={choice === 'mine' ? 'danger' : 'plain'}
              onClick={act(() => void opened.keepMine())}
            >
              Keep mine, overwrite the file
            </Button>
          )}
        </>
      }
    >
      <Versions mine={mine} file={file} />
    </Dialog>
  );
}

const titles = {
  compare: 'Compare both versions',
  mine: 'Overwrite the file on disk?',
  file: 'Discard your unsaved text?',
  discard: 'Discard your unsaved text?',
} as const;

function Versions({ mine, file }: { readonly mine: string; readonly file: string }) {
  const [own, other] = [linesOf(mine), linesOf(file)];
  const found = difference(own, other);
  if (found === undefined) return <p>They differ only in their line endings.</p>;
  const { from, toBefore, toAfter } = found;
  return (
    <>
      <p class="small soft">
        {`They differ from line ${from + 1}. `}
        {own.length > toBefore && `The last ${own.length - toBefore} lines are the same.`}
      </p>
      <div class="compare">
        <Side title="Mine, unsaved" lines={own.slice(from, toBefore)} />
        <Side title="The file on disk" lines={other.slice(from, toAfter)} />
      </div>
    </>
  );
}

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="small soft">These lines are missing here.</p>
      ) : (
        <textarea class="control" readOnly rows={12} aria-label={title} value={lines.join('\n')} />
      )}
    </section>
  );
}

function linesOf(text: string): readonly string[] {
  return plainLineEnds(text).split('\n');
}
