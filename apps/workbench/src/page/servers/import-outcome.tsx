import type { Server } from '../../contract.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import './import-outcome.css';
import { ServerStatus } from './server-status.tsx';
import { TestSteps } from './test-steps.tsx';

export interface ImportOutcomeProps {
  readonly servers: readonly Server[];
  readonly onClose: () => void;
}

/** The tests of servers that were added together. */
export function ImportOutcome({ servers: added, onClose }: ImportOutcomeProps) {
  const ids = new Set(added.map(({ id }) => id));
  const servers = useWorkbench().servers.value.filter(({ id }) => ids.has(id));
  const isRunning = servers.some(({ test }) => test?.isRunning);
  return (
    <Dialog
      title={isRunning ? 'Testing what was added' : 'Added'}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {isRunning ? 'Continue in the background' : 'Done'}
        </Button>
      }
    >
      <ul class="import-outcome">
        {servers.map((server) => (
          <li key={server.id}>
            <h3>{server.name}</h3>
            {server.test ? <TestSteps test={server.test} /> : <ServerStatus server={server} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
