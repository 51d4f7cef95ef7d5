import { Badge, Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import type { SecretList } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SecretValue } from './secret-value.tsx';

export interface SecretRowProps {
  readonly name: string;
  /** Referenced by the settings but not set. */
  readonly isMissing: boolean;
  readonly onChanged: (secrets: SecretList) => void;
}

/** One secret: set it, replace it, remove it. */
export function SecretRow({ name, isMissing, onChanged }: SecretRowProps) {
  const [doing, setDoing] = useState<'nothing' | 'replace' | 'remove'>('nothing');
  const isTyping = isMissing || doing === 'replace';
  return (
    <li>
      <span class="secret-name">
        <code>{name}</code>
        {isMissing ? (
          <Badge tone="warn">Missing, used by the settings</Badge>
        ) : (
          <Badge tone="good">Set</Badge>
        )}
      </span>
      {isTyping ? (
        <SecretValue
          name={name}
          onSaved={(secrets) => {
            setDoing('nothing');
            onChanged(secrets);
          }}
          {...(!isMissing && { onCancel: () => setDoing('nothing') })}
        />
      ) : (
        <span class="secret-actions">
          <Button isSmall onClick={() => setDoing('replace')} aria-label={`Replace ${name}`}>
            Replace
          </Button>
          <Button
            isSmall
            look="danger"
            onClick={() => setDoing('remove')}
            aria-label={`Remove ${name}`}
          >
            Remove
          </Button>
        </span>
      )}
      {doing === 'remove' && (
        <RemoveSecret name={name} onChanged={onChanged} onClose={() => setDoing('nothing')} />
      )}
    </li>
  );
}

interface RemoveSecretProps {
  readonly name: string;
  readonly onChanged: (secrets: SecretList) => void;
  readonly onClose: () => void;
}

function RemoveSecret({ name, onChanged, onClose }: RemoveSecretProps) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const secrets = await model.attempt(() => api.secrets[':name'].$delete({ param: { name } }));
    setBusy(false);
    onClose();
    if (secrets) onChanged(secrets);
  };
  return (
    <Dialog
      title={`Remove the secret ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" icon="remove" isBusy={isBusy} onClick={remove}>
            Remove
          </Button>
        </>
      }
    >
      <p>
        Servers that use it cannot be started without it. Its value cannot be restored: you would
        have to enter it again.
      </p>
    </Dialog>
  );
}
