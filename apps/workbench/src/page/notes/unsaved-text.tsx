import { Badge, Button } from '@errand/parts/controls';
import { useEffect, useState } from 'preact/hooks';
import { CompareDialog } from './compare-dialog.tsx';
import type { OpenNote } from './model/open-note.ts';

/** Shows that text is unsaved, with buttons to save or discard it. */
export function UnsavedText({ opened }: { readonly opened: OpenNote }) {
  const [isAsking, setAsking] = useState(false);
  const isSafe = opened.isDraftSafe.value;
  useEffect(() => {
    if (isSafe) return;
    const hold = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [isSafe]);
  if (opened.draft.value === undefined) return null;
  return (
    <>
      <Badge tone="warn" title={isSafe ? kept : notKept}>
        Unsaved text
      </Badge>
      {!opened.isConflict.value && (
        <>
          <Button look="quiet" onClick={() => setAsking(true)}>
            Discard
          </Button>
          <Button
            look="primary"
            title="Ctrl+S"
            isBusy={opened.isSaving.value}
            onClick={() => void opened.save()}
          >
            Save
          </Button>
        </>
      )}
      {isAsking && (
        <CompareDialog opened={opened} choice="discard" onClose={() => setAsking(false)} />
      )}
    </>
  );
}

const kept = 'Shown in Source. This browser keeps it across reloads.';
const notKept = 'It is too long for this browser to keep: it is lost when the page is closed.';
