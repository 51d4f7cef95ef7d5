import type { PendingServer } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { AgreementDialog } from '../parts/agreement-dialog.tsx';
import { EffectList } from './effect-list.tsx';

/** Asks for trust before a server of the vault is started (D17). */
export function TrustDialog() {
  const { pending, trustQuestion } = useWorkbench();
  return trustQuestion.isAsked.value ? <TrustForm pending={pending.value} /> : null;
}

function TrustForm({ pending }: { readonly pending: readonly PendingServer[] }) {
  const model = useWorkbench();
  const isAboutStart = pending.some(({ verdict }) => verdict !== 'tools');
  const later = () => model.trustQuestion.putOff();
  const keyOf = ({ id, seen }: PendingServer) => `${id} ${seen}`;
  const items = pending.map((server) => ({
    key: keyOf(server),
    name: server.name,
    warning: warnings[server.verdict],
    effects: <EffectList lines={server.does} />,
  }));
  const agree = async (keys: ReadonlySet<string>) => {
    const chosen = pending.filter((server) => keys.has(keyOf(server)));
    const json = { servers: chosen.map(({ id, seen }) => ({ id, seen })) };
    const trust = await api.trust.$post({ json });
    model.apply({ kind: 'trust-changed', trust });
    later();
  };
  return (
    <AgreementDialog
      title={isAboutStart ? 'May these servers start?' : 'Trust these tools?'}
      items={items}
      onClose={later}
      agree={agree}
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
    </AgreementDialog>
  );
}

const warnings: Partial<Record<PendingServer['verdict'], string>> = {
  changed: 'Changed since you agreed',
  tools: 'Its tools claim more than when you agreed',
};
