import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { keepFocus } from '../parts/focus-heading.ts';

/** Cancels one call that was started here. */
export function CancelCall({ id, what }: { readonly id: string; readonly what: string }) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    const done = await model.attempt(() => api.calls[':id'].cancel.$post({ param: { id } }));
    setBusy(false);
    if (done) keepFocus();
  };
  return (
    <Button isSmall isBusy={isBusy} onClick={cancel} aria-label={`Cancel ${what}`}>
      Cancel
    </Button>
  );
}
