import { foreignLines, oneLine } from '@errand/host';
import { describeHook, nameServers } from '@errand/workspace/hooks';
import type { HookView } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { AgreementDialog } from '../parts/agreement-dialog.tsx';
import { PlainText } from '../parts/content/plain-text.tsx';
import { EffectList } from '../servers/effect-list.tsx';

/** Hooks in one question: more could not be read before agreeing. */
const mostAtOnce = 20;

export interface AgreeDialogProps {
  readonly pending: readonly HookView[];
  readonly onClose: () => void;
  readonly onAgreed: () => void;
}

/** Asks for trust before hooks of strangers run (D17). */
export function AgreeDialog({ pending, onClose, onAgreed }: AgreeDialogProps) {
  const shown = pending.slice(0, mostAtOnce);
  const keyOf = ({ hook, seen }: HookView) => `${hook.id} ${seen}`;
  const items = shown.map((view) => ({
    key: keyOf(view),
    name: oneLine(view.hook.name),
    warning: view.verdict === 'changed' ? 'Changed since you agreed' : undefined,
    effects: <Effects view={view} />,
  }));
  const agree = async (keys: ReadonlySet<string>) => {
    const chosen = shown.filter((view) => keys.has(keyOf(view)));
    const hooks = chosen.map(({ hook, seen }) => ({ hook: hook.id, seen }));
    await api.hooks.agree.$post({ json: { hooks } });
    onAgreed();
  };
  const title = shown.length === 1 ? 'May this hook run?' : 'May these hooks run?';
  return (
    <AgreementDialog title={title} items={items} onClose={onClose} agree={agree}>
      <p>
        A hook runs by itself, with your rights. Agree only to what you understand. Nothing has run
        yet.
      </p>
      {pending.length > shown.length && (
        <p class="soft">{`${pending.length - shown.length} more are asked about afterwards.`}</p>
      )}
    </AgreementDialog>
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
