import { Button, Icon } from '@errand/parts/controls';
import { isInvalidHook as isInvalid } from '@errand/workspace/hooks';
import { useState } from 'preact/hooks';
import type { HookView } from '../../contract.ts';
import { api } from '../model/api.ts';
import { goTo, hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keepFocus } from '../parts/focus-heading.ts';
import { Switch } from '../parts/switch.tsx';
import { AgreeDialog } from './agree-dialog.tsx';

export interface HookActionsProps {
  readonly view: HookView;
  /** Something was changed here: read it again. */
  readonly onChanged: () => void;
}

/** What can be done with one hook. */
export function HookActions({ view, onChanged }: HookActionsProps) {
  const { hook, verdict, pausedAt } = view;
  const { id, name, enabled } = hook;
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<'agree' | 'remove'>();
  const edit = isInvalid(view) ? 'Update' : 'Edit';
  const close = () => setDialog(undefined);
  const attempt = async <Value,>(work: () => Promise<Value>) => {
    setBusy(true);
    const done = await model.attempt(work);
    setBusy(false);
    if (done !== undefined) onChanged();
    return done;
  };
  const run = async () => {
    const begun = await attempt(() => api.hooks.entry[':id'].run.$post({ param: { id } }));
    if (begun !== undefined) goTo('hooks', '', { run: begun.id });
  };
  const remove = async () => {
    if ((await attempt(() => api.hooks.entry[':id'].$delete({ param: { id } }))) === undefined)
      return;
    close();
    goTo('hooks');
    keepFocus();
  };
  return (
    <div class="hook-actions">
      {verdict === 'trusted' && !isInvalid(view) && (
        <Button isSmall icon="play" isBusy={isBusy} aria-label={`Run now: ${name}`} onClick={run}>
          Run now
        </Button>
      )}
      {verdict !== 'trusted' && (
        <Button isSmall look="primary" onClick={() => setDialog('agree')}>
          Review
        </Button>
      )}
      <a
        class={isInvalid(view) ? 'button plain is-small' : 'button quiet is-small is-icon-only'}
        href={hrefTo('hooks', id, { edit: 1 })}
        aria-label={`${edit} ${name}`}
        title={`${edit} ${name}`}
      >
        <Icon name="edit" />
        {isInvalid(view) && edit}
      </a>
      <Button
        look={isInvalid(view) ? 'danger' : 'quiet'}
        isSmall
        isIconOnly={!isInvalid(view)}
        icon="remove"
        aria-label={`Remove ${name}`}
        onClick={() => setDialog('remove')}
      >
        {isInvalid(view) ? 'Remove' : `Remove ${name}`}
      </Button>
      <Switch
        label={`${name} is enabled`}
        isOn={enabled && pausedAt === undefined}
        isBusy={isBusy}
        onChange={(isOn) =>
          void attempt(() =>
            api.hooks.entry[':id'].enabled.$post({ param: { id }, json: { enabled: isOn } }),
          )
        }
      />
      {dialog === 'agree' && (
        <AgreeDialog
          pending={[view]}
          onClose={close}
          onAgreed={() => {
            close();
            onChanged();
          }}
        />
      )}
      {dialog === 'remove' && (
        <Dialog
          title={`Remove ${name}?`}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button look="danger" isBusy={isBusy} onClick={() => void remove()}>
                Remove
              </Button>
            </>
          }
        >
          <p>Its entry is removed from .errand/hooks.json. The log keeps its runs.</p>
        </Dialog>
      )}
    </div>
  );
}
