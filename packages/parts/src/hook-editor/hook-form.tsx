import type { HookOptions, HookView } from '@errand/hooks';
import type { ComponentChildren } from 'preact';
import { Button } from '../controls/button.tsx';
import { useFocusOnRefusal } from '../controls/use-focus-on-refusal.ts';
import { HookEditor } from './hook-editor.tsx';
import './hook-form.css';
import type { HookFormPorts } from './hook-form-ports.ts';
import { HookTestView } from './hook-test-view.tsx';
import { useHookForm } from './use-hook-form.ts';
import { useToolCatalog } from './use-tool-catalog.ts';

export interface HookFormProps {
  /** The hook that is changed; without one, a hook is added. */
  readonly view: HookView | undefined;
  readonly options: HookOptions;
  /** The same object as long as the form is shown. */
  readonly ports: HookFormPorts;
  readonly onSaved: (view: HookView) => void;
  /** What stands beside Save; `discard` forgets what was typed. */
  readonly buttons: (form: HookFormState) => ComponentChildren;
}

export interface HookFormState {
  readonly isChanged: boolean;
  readonly discard: () => void;
}

/** Writes a hook, with a preview that follows typing, on the last event of its kind. */
export function HookForm({ view, options, ports, onSaved, buttons }: HookFormProps) {
  const catalog = useToolCatalog(ports);
  const form = useHookForm({ view, options, ports, onSaved });
  const element = useFocusOnRefusal(form.refusals);
  const { draft, preview, mistakes, failure } = form;
  return (
    <form
      ref={element}
      class="edit-hook-columns"
      noValidate
      aria-label="Hook"
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        form.save();
      }}
    >
      <HookEditor
        draft={draft}
        options={options}
        catalog={catalog}
        mistakes={mistakes}
        fieldNames={preview?.fieldNames ?? options.fields}
        proposals={preview?.proposals ?? []}
        onChange={form.change}
      />
      <aside class="panel edit-hook-preview" aria-labelledby="hook-preview">
        <h2 id="hook-preview">Preview</h2>
        <p class="small soft">What it would do. Nothing is called.</p>
        {preview === undefined ? <p class="soft">…</p> : <HookTestView test={preview} />}
      </aside>
      <div class="edit-hook-actions">
        {failure && (
          <p class="field-error" role="alert">
            {failure}
          </p>
        )}
        <Button look="primary" type="submit" isBusy={form.isBusy} title="Ctrl+Enter">
          Save
        </Button>
        {buttons(form)}
      </div>
    </form>
  );
}
