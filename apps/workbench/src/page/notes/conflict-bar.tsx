import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import { type CompareChoice, CompareDialog } from './compare-dialog.tsx';
import './conflict-bar.css';
import type { OpenNote } from './model/open-note.ts';

/** Warns that the file changed while text is unsaved, and lets the person choose a version. */
export function ConflictBar({ opened }: { readonly opened: OpenNote }) {
  const [choice, setChoice] = useState<CompareChoice | undefined>(undefined);
  if (!opened.isConflict.value) return null;
  return (
    <div class="conflict-bar" role="alert">
      <p>
        <strong>
          {opened.isFromTab.value
            ? 'This note was changed in another tab.'
            : 'This note was changed by another program.'}
        </strong>{' '}
        Your unsaved text is kept here.
      </p>
      <div class="conflict-choices">
        <Button isSmall onClick={() => setChoice('compare')}>
          Compare
        </Button>
        <Button isSmall onClick={() => setChoice('mine')}>
          Keep mine
        </Button>
        <Button isSmall onClick={() => setChoice('file')}>
          Use the file on disk
        </Button>
      </div>
      {choice && (
        <CompareDialog opened={opened} choice={choice} onClose={() => setChoice(undefined)} />
      )}
    </div>
  );
}
