import { Field } from '@errand/parts/controls';
import type { ServerDraft } from '@errand/workspace/servers';
import type { JSX } from 'preact';
import { NameValueRows } from './name-value-rows.tsx';
import './server-fields.css';

export interface ServerFieldsProps {
  readonly draft: ServerDraft;
  /** What is wrong, by the field's name. */
  readonly mistakes: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ServerDraft>) => void;
}

/** The fields of a server: required ones first, the rest below "More". */
export function ServerFields(props: ServerFieldsProps) {
  const { mistakes } = props;
  return (
    <>
      <MainField {...props} />
      <TextField
        {...props}
        name="name"
        label="Name"
        hint="Blocks in notes start with it: letters, digits, - and _."
        isRequired
      />
      <details class="more-fields">
        <summary>More</summary>
        <div>
          <LaunchFields {...props} />
          <Field label="When a model wants to use its tools" error={mistakes.approval}>
            {(control) => (
              <select
                {...control}
                value={props.draft.approval}
                onChange={({ currentTarget }) =>
                  props.onChange({ approval: currentTarget.value as ServerDraft['approval'] })
                }
              >
                <option value="ask">Ask me, unless a tool only reads</option>
                <option value="always">Ask me every time</option>
                <option value="allow">Allow it without asking</option>
                <option value="deny">Refuse it</option>
              </select>
            )}
          </Field>
          <TextField
            {...props}
            name="timeout"
            label="Seconds a call may take"
            hint="Default: the time for all servers."
          />
        </div>
      </details>
    </>
  );
}

function MainField(props: ServerFieldsProps) {
  switch (props.draft.kind) {
    case 'command':
      return (
        <TextField
          {...props}
          name="command"
          label="Command"
          hint="As in a terminal, for example npx -y @scope/some-server. It runs on this machine."
          isRequired
          isCode
        />
      );
    case 'image':
      return (
        <TextField
          {...props}
          name="image"
          label="Image"
          hint="For example mcp/weather:1. It runs in a container; Docker is required."
          isRequired
          isCode
        />
      );
    case 'url':
      return (
        <TextField
          {...props}
          name="url"
          label="Address"
          hint="For example https://host.example/mcp. It runs elsewhere; nothing is started on this machine."
          isRequired
          isCode
        />
      );
  }
}

function LaunchFields(props: ServerFieldsProps) {
  const { draft, mistakes, onChange } = props;
  const environment = (
    <NameValueRows
      label="Environment"
      noun="variable"
      rows={draft.env}
      error={mistakes.env}
      onChange={(env) => onChange({ env })}
    />
  );
  switch (draft.kind) {
    case 'command':
      return (
        <>
          {environment}
          <TextField
            {...props}
            name="cwd"
            label="Folder to run in"
            hint="Relative to the vault; . is the vault itself. Default: an empty folder outside the vault."
          />
        </>
      );
    case 'image':
      return (
        <>
          {environment}
          <ContainerFields {...props} />
        </>
      );
    case 'url':
      return (
        <>
          <NameValueRows
            label="Headers"
            noun="header"
            rows={draft.headers}
            error={mistakes.headers}
            onChange={(headers) => onChange({ headers })}
          />
          <Transport {...props} name="urlTransport" />
        </>
      );
  }
}

function ContainerFields(props: ServerFieldsProps) {
  return (
    <>
      <TextField
        {...props}
        name="inside"
        label="Command inside"
        hint="Default: the image's own."
        isCode
      />
      <Transport {...props} name="imageTransport" />
      {props.draft.imageTransport !== 'stdio' && (
        <>
          <TextField {...props} name="port" label="Port inside the container" isRequired />
          <TextField
            {...props}
            name="outsidePort"
            label="Port on this machine"
            hint="Default: any free port."
          />
          <TextField {...props} name="path" label="Path" hint="For example /mcp." />
        </>
      )}
      <TextField {...props} name="memory" label="Memory" hint="For example 256m." />
    </>
  );
}

function Transport({
  draft,
  mistakes,
  onChange,
  name,
}: ServerFieldsProps & { readonly name: 'imageTransport' | 'urlTransport' }) {
  return (
    <Field label="Transport" error={mistakes.transport}>
      {(control) => (
        <select
          {...control}
          value={draft[name]}
          onChange={({ currentTarget }) =>
            onChange({ [name]: currentTarget.value } as Partial<ServerDraft>)
          }
        >
          {name === 'imageTransport' && <option value="stdio">stdio</option>}
          <option value="http">HTTP</option>
          <option value="sse">SSE (older servers)</option>
        </select>
      )}
    </Field>
  );
}

type TextName = {
  [Name in keyof ServerDraft]: string extends ServerDraft[Name] ? Name : never;
}[keyof ServerDraft];

interface TextFieldProps extends ServerFieldsProps {
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isCode?: boolean;
}

function TextField(props: TextFieldProps): JSX.Element {
  const { draft, mistakes, onChange, name, label, hint, isRequired = false, isCode } = props;
  return (
    <Field label={label} hint={hint} error={mistakes[name]} isRequired={isRequired}>
      {(control) => (
        <input
          {...control}
          class={isCode ? 'control is-code' : 'control'}
          spellcheck={false}
          autocomplete="off"
          value={draft[name]}
          onInput={(event) =>
            onChange({ [name]: event.currentTarget.value } as Partial<ServerDraft>)
          }
        />
      )}
    </Field>
  );
}
