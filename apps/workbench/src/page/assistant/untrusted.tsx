import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Assistant } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EffectList } from '../servers/effect-list.tsx';
import './untrusted.css';

/** Asks for trust before anything is sent to a vault's assistant (D17). */
export function Untrusted({ assistant }: { readonly assistant: Assistant }) {
  const workbench = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const { name, does, verdict, seen } = assistant;
  if (verdict === 'trusted') return null;
  const agree = async () => {
    setBusy(true);
    await workbench.attempt(async () => {
      const state = await api.assistant.trust.$post({ json: { name, seen } });
      workbench.apply({ kind: 'assistants-changed', assistants: state.assistants });
    });
    setBusy(false);
  };
  return (
    <div class="untrusted" role="note" aria-label={`May ${name} be used?`}>
      <p>
        <strong>{`May ${name} be used?`}</strong>{' '}
        {verdict === 'new'
          ? 'It is configured in this vault, and nobody on this machine has agreed to it yet.'
          : 'Its settings have changed since you agreed to it.'}
      </p>
      <EffectList lines={does} />
      <p class="small">Agree only if you know it. Nothing has been sent yet.</p>
      <Button look="primary" isBusy={isBusy} onClick={() => void agree()}>
        Agree
      </Button>
    </div>
  );
}
