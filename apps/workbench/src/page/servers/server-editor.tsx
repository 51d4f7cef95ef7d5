import { useFocusOnRefusal } from '@errand/parts/controls';
import type { ServerDraft } from '@errand/workspace/servers';
import type { Failure } from '../../contract.ts';
import { ServerFields } from './server-fields.tsx';
import './server-editor.css';

export interface ServerEditorProps {
  /** The id of the form, for a submit button outside of it. */
  readonly id: string;
  readonly draft: ServerDraft;
  readonly mistakes: Readonly<Record<string, string>>;
  /** How often the form was submitted with mistakes. */
  readonly refusals: number;
  /** A failure that belongs to no field. */
  readonly failure: Failure | undefined;
  readonly onChange: (change: Partial<ServerDraft>) => void;
  readonly onSubmit: () => void;
}

/** The form that adds and edits servers. */
export function ServerEditor(props: ServerEditorProps) {
  const { id, draft, mistakes, refusals, failure, onChange, onSubmit } = props;
  const form = useFocusOnRefusal(refusals);
  return (
    <form
      ref={form}
      id={id}
      class="server-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ServerFields draft={draft} mistakes={mistakes} onChange={onChange} />
      {failure && (
        <p class="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </form>
  );
}
