import { Badge, Button, CheckField } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Failure, PendingServer } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { EffectList } from './effect-list.tsx';
import './trust-dialog.css';

/** Asks for trust before a server of the vault is started (D17). */
export function TrustDialog() {
  const { pending, trustQuestion } = useWorkbench();
  return trustQuestion.isAsked.value ? <TrustForm pending={pending.value} /> : null;
}

function TrustForm({ pending }: { readonly pending: readonly PendingServer[] }) {
  const model = useWorkbench();
  // Keyed by fingerprint: a server that changes meanwhile must be confirmed again.
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const chosen = pending.filter(({ seen }) => agreed.has(seen));
  const isAboutStart = pending.some(({ verdict }) => verdict !== 'tools');
  const later = () => model.trustQuestion.putOff();
  const agree = async () => {
    const json = { servers: chosen.map(({ id, seen }) => ({ id, seen })) };
    setBusy(true);
    setFailure(undefined);
    try {
      const trust = await api.trust.$post({ json });
      model.apply({ kind: 'trust-changed', trust });
      later();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={isAboutStart ? 'May these servers start?' : 'Trust these tools?'}
      onClose={later}
      isWide
      actions={
        <>
          <Button onClick={later}>Not now</Button>
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
      {isAboutStart ? (
        <p>
          They came with this vault. Agree only to servers you know: a server is a program that can
          do anything you can do on this machine. Nothing has been started yet.
        </p>
      ) : (
        <p>
          A model may call a read-only tool without asking. These tools now claim to be less risky
          than when you agreed. Until you agree again, each call by a model needs approval.
        </p>
      )}
      <ul class="trust-list">
        {pending.map((server) => (
          <li key={server.id}>
            <CheckField
              label={<ServerName server={server} />}
              hint={<EffectList lines={server.does} />}
              isChecked={agreed.has(server.seen)}
              onChange={(isChecked) => {
                const others = [...agreed].filter((seen) => seen !== server.seen);
                setAgreed(new Set(isChecked ? [...others, server.seen] : others));
              }}
            />
          </li>
        ))}
      </ul>
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}

function ServerName({ server: { name, verdict } }: { readonly server: PendingServer }) {
  return (
    <span class="trust-name">
      <strong>{name}</strong>
      {verdict === 'changed' && <Badge tone="warn">Changed since you agreed</Badge>}
      {verdict === 'tools' && <Badge tone="warn">Its tools claim more than when you agreed</Badge>}
    </span>
  );
}
