import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { keepFocus } from '../parts/focus-heading.ts';

/** Cancels all calls and refuses new ones. */
export function StopAll({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { isBusy, send } = useSwitch('stop');
  return (
    <Button look="danger" icon="stop" isSmall={isSmall} isBusy={isBusy} onClick={send}>
      Stop all
    </Button>
  );
}

/** Allows new calls again. */
export function Resume() {
  const { isBusy, send } = useSwitch('resume');
  return (
    <Button look="primary" icon="play" isBusy={isBusy} onClick={send}>
      Resume
    </Button>
  );
}

function useSwitch(name: 'stop' | 'resume') {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const state = await model.attempt(() => api.calls[name].$post());
    setBusy(false);
    if (state === undefined) return;
    model.apply({ kind: 'calls-stopped', isStopped: state.isStopped });
    keepFocus();
  };
  return { isBusy, send };
}
