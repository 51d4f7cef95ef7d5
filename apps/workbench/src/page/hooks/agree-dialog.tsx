import { foreignLines, oneLine } from '@errand/host';
import { Badge, Button, CheckField } from '@errand/parts/controls';
import { describeHook, nameServers } from '@errand/workspace/hooks';
import { useState } from 'preact/hooks';
import type { Failure, HookView } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { PlainText } from '../parts/content/plain-text.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EffectList } from '../servers/effect-list.tsx';
import '../servers/trust-dialog.css';

/** Hooks in one question: more could not be read before agreeing. */
const mostAtOnce = 20;

export interface AgreeDialogProps {
  readonly pending: readonly HookView[];
  readonly onClose: () => void;
  readonly onAgreed: () => void;
}

/** Shows what hooks of strangers would do, and asks whether they may (D17). */
export function AgreeDialog({ pending, onClose, onAgreed }: AgreeDialogProps) {
  // By digest: a hook that changes meanwhile must be confirmed again.
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const shown = pending.slice(0, mostAtOnce);
  const keyOf = ({ hook, seen }: HookView) => `${hook.id} ${seen}`;
  const chosen = shown.filter((view) => agreed.has(keyOf(view)));
  const agree = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const hooks = chosen.map(({ hook, seen }) => ({ hook: hook.id, seen }));
      await api.hooks.agree.$post({ json: { hooks } });
      onAgreed();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={shown.length === 1 ? 'May this hook run?' : 'May these hooks run?'}
      onClose={onClose}
      isWide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={chosen.length === 0}
            onClick={() => void agree()}
          >
            Agree to selected
          </Button>
        </>
      }
    >
      <p>
        A hook runs by itself, with your rights. Agree only to what you understand. Nothing has run
        yet.
      </p>
      <ul class="trust-list">
        {shown.map((view) => (
          <li key={keyOf(view)}>
            <CheckField
              label={
                <span class="trust-name">
                  <strong>{oneLine(view.hook.name)}</strong>
                  {view.verdict === 'changed' && (
                    <Badge tone="warn">Changed since you agreed</Badge>
                  )}
                </span>
              }
              hint={<Effects view={view} />}
              isChecked={agreed.has(keyOf(view))}
              onChange={(isChecked) => {
                const others = [...agreed].filter((key) => key !== keyOf(view));
                setAgreed(new Set(isChecked ? [...others, keyOf(view)] : others));
              }}
            />
          </li>
        ))}
      </ul>
      {pending.length > shown.length && (
        <p class="soft">{`${pending.length - shown.length} more are asked about afterwards.`}</p>
      )}
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}

function Effects({ view: { hook } }: { readonly view: HookView }) {
  const { servers } = useWorkbench();
  const { trigger, conditions, actions } = hook;
  const lines = describeHook(nameServers(hook, servers.value)).flatMap(foreignLines);
  return (
    <>
      <EffectList lines={lines} />
      <details>
        <summary>Everything in it</summary>
        <PlainText text={JSON.stringify({ trigger, conditions, actions }, undefined, 2)} />
      </details>
    </>
  );
}
