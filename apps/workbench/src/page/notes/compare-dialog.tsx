import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import '../parts/field.css';
import './compare-dialog.css';
import { difference } from '@errand/document/display';
import { plainLineEnds } from './model/line-ends.ts';
import type { OpenNote } from './model/open-note.ts';

export type CompareChoice = 'compare' | 'mine' | 'theirs' | 'discard';

export interface CompareDialogProps {
  readonly opened: OpenNote;
  readonly choice: CompareChoice;
  readonly onClose: () => void;
}

/** Unsaved text and file side by side, where they differ; one of them goes only by a yes here. */
export function CompareDialog({ opened, choice, onClose }: CompareDialogProps) {
  const mine = opened.draft.value?.text ?? '';
  const theirs = opened.note.value?.text ?? '';
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
              {choice === 'discard' ? 'Drop mine' : 'Take theirs, drop mine'}
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
      <Both mine={mine} theirs={theirs} />
    </Dialog>
  );
}

const titles = {
  compare: 'Two texts of this note',
  mine: "Overwrite the other program's text?",
  theirs: 'Drop your unsaved text?',
  discard: 'Drop your unsaved text?',
} as const;

function Both({ mine, theirs }: { readonly mine: string; readonly theirs: string }) {
  const [own, other] = [linesOf(mine), linesOf(theirs)];
  const found = difference(own, other);
  if (found === undefined) return <p>They differ only in how lines end.</p>;
  const { from, toBefore, toAfter } = found;
  return (
    <>
      <p class="small soft">
        {`They differ from line ${from + 1} on. `}
        {own.length > toBefore && `The last ${own.length - toBefore} are the same again.`}
      </p>
      <div class="compare">
        <Side title="Mine, not saved" lines={own.slice(from, toBefore)} />
        <Side title="Theirs, in the file" lines={other.slice(from, toAfter)} />
      </div>
    </>
  );
}

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="small soft">These lines are not there.</p>
      ) : (
        <textarea class="control" readOnly rows={12} aria-label={title} value={lines.join('\n')} />
      )}
    </section>
  );
}

function linesOf(text: string): readonly string[] {
  return plainLineEnds(text).split('\n');
}
