import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { goTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Switch } from '../parts/switch.tsx';
import { EditServer } from './edit-server.tsx';
import './server-actions.css';
import { useServerActions } from './use-server-actions.ts';

export interface ServerActionsProps {
  readonly server: Server;
  /** A test was asked for: show it. */
  readonly onTest: () => void;
}

/** The actions of a server. */
export function ServerActions({ server, onTest }: ServerActionsProps) {
  const { name, enabled, autoDisabled, trust, connectionState } = server;
  const { trustQuestion } = useWorkbench();
  const actions = useServerActions(server);
  const [dialog, setDialog] = useState<'edit' | 'remove'>();
  const isTrusted = trust === 'trusted';
  const mayTry = isTrusted && enabled && connectionState !== 'connected';
  const close = () => setDialog(undefined);
  return (
    <div class="server-actions">
      {!isTrusted && (
        <Button isSmall look="primary" onClick={() => trustQuestion.ask()}>
          Review
        </Button>
      )}
      {mayTry && (
        <Button
          isSmall
          icon="redo"
          aria-label={`Try now: ${name}`}
          disabled={connectionState === 'connecting'}
          onClick={() => void actions.tryNow()}
        >
          Try now
        </Button>
      )}
      {isTrusted && (
        <Button
          isSmall
          aria-label={`Test ${name}`}
          isBusy={server.test?.isRunning === true}
          onClick={() => {
            onTest();
            void actions.test();
          }}
        >
          Test
        </Button>
      )}
      <Button look="quiet" isSmall isIconOnly icon="edit" onClick={() => setDialog('edit')}>
        {`Edit ${name}`}
      </Button>
      <Button look="quiet" isSmall isIconOnly icon="remove" onClick={() => setDialog('remove')}>
        {`Remove ${name}`}
      </Button>
      <Switch
        label={`${name} is enabled`}
        isOn={enabled && !autoDisabled}
        isBusy={actions.isBusy}
        onChange={(isOn) => void actions.setEnabled(isOn)}
      />
      {dialog === 'edit' && <EditServer server={server} onClose={close} />}
      {dialog === 'remove' && (
        <Dialog
          title={`Remove ${name}?`}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button
                look="danger"
                isBusy={actions.isBusy}
                onClick={() => void actions.remove().then((isGone) => isGone && goTo('servers'))}
              >
                Remove
              </Button>
            </>
          }
        >
          <p>
            Its entry is removed from the settings of this vault. Notes keep their blocks and
            results, but blocks that use it no longer run.
          </p>
        </Dialog>
      )}
    </div>
  );
}
