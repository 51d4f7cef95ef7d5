import { oneLine, webAddress } from '@errand/host';
import { Button, useFocusOnRefusal } from '@errand/parts/controls';
import { SchemaForm, useSchemaForm } from '@errand/parts/schema-form';
import { useState } from 'preact/hooks';
import type { Failure, Question } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FromServer } from '../parts/from-server.tsx';
import './question-dialog.css';

/** Shows the oldest elicitation of a server; it closes when it is answered elsewhere. */
export function QuestionDialog() {
  const [question] = useWorkbench().questions.value;
  if (question === undefined) return null;
  return question.kind === 'form' ? (
    <FormQuestion key={question.id} question={question} />
  ) : (
    <UrlQuestion key={question.id} question={question} />
  );
}

type AnswerBody = Parameters<(typeof api.questions)[':id']['$post']>[0]['json'];

function useAnswer({ id }: Question) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const answer = async (json: AnswerBody) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api.questions[':id'].$post({ param: { id }, json });
      model.apply({ kind: 'question-closed', id });
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, answer: (body: AnswerBody) => void answer(body) };
}

function FormQuestion({ question }: { readonly question: Extract<Question, { kind: 'form' }> }) {
  const { isBusy, failure, answer } = useAnswer(question);
  const form = useSchemaForm(question.schema);
  const element = useFocusOnRefusal(form.refusals);
  const accept = () => {
    const content = form.submit();
    if (content === undefined) return;
    answer({ action: 'accept', content: content as NonNullable<AnswerBody['content']> });
  };
  return (
    <Dialog
      title={`${question.server} asks`}
      onClose={() => answer({ action: 'cancel' })}
      actions={
        <>
          <Button isBusy={isBusy} onClick={() => answer({ action: 'decline' })}>
            Decline
          </Button>
          <Button look="primary" isBusy={isBusy} onClick={accept}>
            Send
          </Button>
        </>
      }
    >
      <FromServer server={question.server} does="asks" text={question.message} />
      <form
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          accept();
        }}
      >
        <FromServer server={question.server} does="wants to know">
          <SchemaForm
            schema={question.schema}
            draft={form.draft}
            mistakes={form.mistakes}
            onChange={form.setDraft}
            hidesSecrets
          />
        </FromServer>
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </form>
      <p class="small soft">
        The answer goes to the server “{question.server}”. Do not enter a password.
      </p>
      <Problem failure={failure} />
    </Dialog>
  );
}

function UrlQuestion({ question }: { readonly question: Extract<Question, { kind: 'url' }> }) {
  const { isBusy, failure, answer } = useAnswer(question);
  const address = webAddress(question.url);
  return (
    <Dialog
      title={`${question.server} asks you to open a page`}
      onClose={() => answer({ action: 'cancel' })}
      actions={
        <>
          <Button isBusy={isBusy} onClick={() => answer({ action: 'decline' })}>
            Decline
          </Button>
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={address === undefined}
            onClick={() => {
              window.open(address?.href, '_blank', 'noopener,noreferrer');
              answer({ action: 'accept' });
            }}
          >
            {address === undefined ? 'Open the page' : `Open ${address.host}`}
          </Button>
        </>
      }
    >
      <FromServer server={question.server} does="asks" text={question.message}>
        <code class="question-address">{oneLine(question.url)}</code>
      </FromServer>
      {address === undefined ? (
        <p class="field-error">This is not an https address, so it is not opened. Decline it.</p>
      ) : (
        <p class="small soft">
          Open it only if you know <strong>{address.host}</strong>.
        </p>
      )}
      <Problem failure={failure} />
    </Dialog>
  );
}

function Problem({ failure }: { readonly failure: Failure | undefined }) {
  return failure ? (
    <p class="field-error" role="alert">
      {failure.message}
    </p>
  ) : null;
}
