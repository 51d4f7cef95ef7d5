import { useState } from 'preact/hooks';
import { ask } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Button } from '../parts/button.tsx';

/** Ends one call that was asked for here. */
export function CancelCall({ id, what }: { readonly id: string; readonly what: string }) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    await model.attempt(() => ask('POST', `/calls/${encodeURIComponent(id)}/cancel`));
    setBusy(false);
  };
  return (
    <Button isSmall isBusy={isBusy} onClick={cancel} aria-label={`Cancel ${what}`}>
      Cancel
    </Button>
  );
}
