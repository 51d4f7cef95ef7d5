import { Button } from '@errand/parts/controls';
import type { Server } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TestSteps } from './test-steps.tsx';
import { useServerActions } from './use-server-actions.ts';

export interface ServerOutcomeProps {
  readonly serverId: string;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

/** The test result after adding or changing a server, and the next step. */
export function ServerOutcome({ serverId, onEdit, onClose }: ServerOutcomeProps) {
  const server = useWorkbench().servers.value.find(({ id }) => id === serverId);
  return server && <Outcome server={server} onEdit={onEdit} onClose={onClose} />;
}

interface OutcomeProps extends Omit<ServerOutcomeProps, 'serverId'> {
  readonly server: Server;
}

function Outcome({ server, onEdit, onClose }: OutcomeProps) {
  const { id, name, test, enabled } = server;
  const { setEnabled, isBusy } = useServerActions(server);
  const isGood = test?.isRunning === false && test.error === null;
  const isBad = test?.isRunning === false && test.error !== null;
  const turnOff = async () => {
    if (!enabled || (await setEnabled(false))) onClose();
  };
  return (
    <Dialog
      title={isGood ? `${name} works` : isBad ? `${name} does not work yet` : `Testing ${name}`}
      onClose={onClose}
      actions={
        <>
          {isBad && (
            <Button isBusy={isBusy} onClick={() => void turnOff()}>
              Keep it disabled
            </Button>
          )}
          {isBad && (
            <Button look="primary" icon="edit" onClick={onEdit}>
              Edit
            </Button>
          )}
          {isGood && (
            <a class="button plain" href={hrefTo('servers', id)} onClick={onClose}>
              See its tools
            </a>
          )}
          {!isBad && (
            <Button look={isGood ? 'primary' : 'plain'} onClick={onClose}>
              {isGood ? 'Done' : 'Continue in the background'}
            </Button>
          )}
        </>
      }
    >
      {test && <TestSteps test={test} />}
      {isGood && (
        <p role="status">
          {enabled ? 'It is enabled: notes can use it now.' : 'It is still disabled.'}
        </p>
      )}
      {isBad && <p class="soft">It is saved. Notes cannot use it until it works.</p>}
    </Dialog>
  );
}
