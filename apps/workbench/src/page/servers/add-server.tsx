import { Button } from '@errand/parts/controls';
import type { ServerDraft } from '@errand/workspace/servers';
import { useId, useState } from 'preact/hooks';
import type { Server } from '../../contract.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ServerStatus } from './server-status.tsx';
import { TestSteps } from './test-steps.tsx';
import './add-server.css';
import { PasteServers } from './paste-servers.tsx';
import { ServerEditor } from './server-editor.tsx';
import { ServerOutcome } from './server-outcome.tsx';
import { useServerEditor } from './use-server-editor.ts';

type ServerSource = ServerDraft['kind'] | 'paste';

const sources: readonly (readonly [ServerSource, string])[] = [
  ['command', 'Command'],
  ['image', 'Image'],
  ['url', 'Address'],
  ['paste', 'Paste'],
];

/** Adds servers, tests them, and enables those that work (D16). */
export function AddServer({ onClose }: { readonly onClose: () => void }) {
  const formId = useId();
  const [source, setSource] = useState<ServerSource>('command');
  const [isEditing, setEditing] = useState(true);
  const [added, setAdded] = useState<Server>();
  const [imported, setImported] = useState<readonly Server[]>();
  const editor = useServerEditor((server) => {
    setAdded(server);
    setEditing(false);
  });
  if (imported !== undefined) return <ImportOutcome servers={imported} onClose={onClose} />;
  if (added !== undefined && !isEditing) {
    return <ServerOutcome serverId={added.id} onEdit={() => setEditing(true)} onClose={onClose} />;
  }
  const isPasting = source === 'paste';
  return (
    <Dialog
      title={added === undefined ? 'Add a server' : `Edit ${added.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} isBusy={editor.isBusy}>
            {isPasting ? 'Add selected' : added === undefined ? 'Add and test' : 'Save and test'}
          </Button>
        </>
      }
    >
      {added === undefined && (
        <SourceChoice
          source={source}
          onChange={(chosen) => {
            setSource(chosen);
            if (chosen !== 'paste') editor.change({ kind: chosen });
          }}
        />
      )}
      {isPasting ? (
        <PasteServers id={formId} onImported={setImported} />
      ) : (
        <ServerEditor
          id={formId}
          draft={editor.draft}
          mistakes={editor.mistakes}
          refusals={editor.refusals}
          failure={editor.failure}
          onChange={editor.change}
          onSubmit={() => editor.store(added && { id: added.id, enables: true })}
        />
      )}
    </Dialog>
  );
}

function SourceChoice({
  source,
  onChange,
}: {
  readonly source: ServerSource;
  onChange: (source: ServerSource) => void;
}) {
  return (
    <fieldset class="source-choice">
      <legend class="visually-hidden">What it is</legend>
      {sources.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="source"
            class="visually-hidden"
            checked={value === source}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ImportOutcomeProps {
  readonly servers: readonly Server[];
  readonly onClose: () => void;
}

/** The tests of servers that were added together. */
function ImportOutcome({ servers: added, onClose }: ImportOutcomeProps) {
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
