import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { type CompareChoice, CompareDialog } from './compare-dialog.tsx';
import './conflict-bar.css';
import type { OpenNote } from './model/open-note.ts';

/** Says that the file and the unsaved text have parted, and lets the person choose. */
export function ConflictBar({ opened }: { readonly opened: OpenNote }) {
  const [choice, setChoice] = useState<CompareChoice | undefined>(undefined);
  if (!opened.isConflict.value) return null;
  return (
    <div class="conflict-bar" role="alert">
      <p>
        <strong>Another program changed this note.</strong> Your unsaved text is still here, and so
        is theirs in the file.
      </p>
      <div class="conflict-choices">
        <Button isSmall onClick={() => setChoice('compare')}>
          Compare
        </Button>
        <Button isSmall onClick={() => setChoice('mine')}>
          Keep mine
        </Button>
        <Button isSmall onClick={() => setChoice('theirs')}>
          Take theirs
        </Button>
      </div>
      {choice && (
        <CompareDialog opened={opened} choice={choice} onClose={() => setChoice(undefined)} />
      )}
    </div>
  );
}
