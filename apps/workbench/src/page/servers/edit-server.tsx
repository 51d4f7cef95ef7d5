import { Button } from '@errand/parts/controls';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Failure, Server } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ServerEditor } from './server-editor.tsx';
import { ServerOutcome } from './server-outcome.tsx';
import { useServerEditor } from './use-server-editor.ts';

export interface EditServerProps {
  readonly server: Server;
  readonly onClose: () => void;
}

/** Changes how a server is reached, then tests it. */
export function EditServer({ server, onClose }: EditServerProps) {
  const { id, name, enabled } = server;
  const formId = useId();
  const [step, setStep] = useState<'loading' | 'form' | 'outcome'>('loading');
  const [problem, setProblem] = useState<Failure>();
  const editor = useServerEditor(({ trust }) => {
    // What nobody agreed to is not tested, so there is nothing to see.
    if (trust === 'trusted') setStep('outcome');
    else onClose();
  });
  // Fill the form only when it opens: later changes must not overwrite what was typed.
  useEffect(() => {
    const leaving = new AbortController();
    api.servers[':id'].$get({ param: { id } }, leaving.signal).then(
      ({ draft }) => {
        editor.fill(draft);
        setStep('form');
      },
      (error) => {
        if (!leaving.signal.aborted) setProblem(failureOf(error));
      },
    );
    return () => leaving.abort();
  }, [id]);
  if (step === 'outcome') {
    return <ServerOutcome serverId={id} onEdit={() => setStep('form')} onClose={onClose} />;
  }
  return (
    <Dialog
      title={`Edit ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            disabled={step === 'loading'}
            isBusy={editor.isBusy}
          >
            Save and test
          </Button>
        </>
      }
    >
      {problem && <p class="field-error">{problem.message}</p>}
      {step === 'form' && (
        <ServerEditor
          id={formId}
          draft={editor.draft}
          mistakes={editor.mistakes}
          refusals={editor.refusals}
          failure={editor.failure}
          onChange={editor.change}
          onSubmit={() => editor.store({ id, enables: enabled })}
        />
      )}
    </Dialog>
  );
}
