import type { HookOptions, HookRun, HookTest, HookView } from '@errand/hooks';
import { foreignLines, oneLine } from '@errand/host';
import { Badge, Button, Parameters } from '@errand/parts/controls';
import { HookForm, type HookFormPorts, HookTestView } from '@errand/parts/hook-editor';
import { hookOutcomes, isInvalidHook } from '@errand/workspace/hooks';
import { useEffect, useState } from 'preact/hooks';
import { ask, onToolsChange, tellSaved } from './ask-extension.ts';

const ports: HookFormPorts = {
  discover: async (refresh, signal) => (await ask('discover', { refresh }, signal)).servers,
  preview: (draft, signal) => ask('preview', { draft }, signal),
  save: (hook, seen) => ask('save', { hook, ...(seen !== undefined && { seen }) }),
  onToolsChange,
  describe: messageOf,
};

/** Adds a hook or changes one, tests it and runs it. */
export function HookPage({ hookId }: { readonly hookId: string | undefined }) {
  const [loaded, setLoaded] = useState<{
    readonly options: HookOptions;
    readonly view?: HookView;
  }>();
  const [failure, setFailure] = useState<string>();
  // Read once: what others change meanwhile must not replace what is being typed.
  useEffect(() => {
    const read = async () => {
      const [options, { hooks }] = await Promise.all([ask('options', {}), ask('list', {})]);
      const view = hooks.find(({ hook }) => hook.id === hookId);
      if (hookId !== undefined && view === undefined) throw new Error('The hook was removed.');
      setLoaded({ options, ...(view && { view }) });
    };
    read().catch((error: unknown) => setFailure(messageOf(error)));
  }, [hookId]);
  if (loaded === undefined) {
    return (
      <p class={failure === undefined ? 'soft' : 'field-error'} role="status">
        {failure ?? 'Loading …'}
      </p>
    );
  }
  const { options, view } = loaded;
  return (
    <Editor
      key={view?.hook.id}
      options={options}
      view={view}
      onSaved={(saved) => {
        tellSaved(saved.hook.id, saved.hook.name);
        setLoaded({ options, view: saved });
      }}
    />
  );
}

interface EditorProps {
  readonly options: HookOptions;
  readonly view: HookView | undefined;
  readonly onSaved: (view: HookView) => void;
}

type Shown =
  | { readonly kind: 'test'; readonly test: HookTest }
  | { readonly kind: 'run'; readonly run: HookRun }
  | { readonly kind: 'failure'; readonly message: string };

function Editor({ options, view, onSaved }: EditorProps) {
  const [shown, setShown] = useState<Shown>();
  const [busy, setBusy] = useState<'test' | 'run'>();
  const attempt = async (kind: 'test' | 'run', work: () => Promise<Shown>) => {
    setBusy(kind);
    setShown(
      await work().catch(
        (error: unknown): Shown => ({ kind: 'failure', message: messageOf(error) }),
      ),
    );
    setBusy(undefined);
  };
  const hook = view?.hook.id ?? '';
  const test = () =>
    attempt('test', async () => ({ kind: 'test', test: await ask('test', { hook }) }));
  const run = () =>
    attempt('run', async () => {
      const begun = await ask('run', { hook });
      return { kind: 'run', run: (await ask('wait', { run: begun.run.id })).run };
    });
  return (
    <main class="hook-page">
      <h1>{view === undefined ? 'New hook' : oneLine(view.hook.name)}</h1>
      {view && isInvalidHook(view) && <Invalid view={view} />}
      <HookForm
        view={view}
        options={options}
        ports={ports}
        onSaved={(saved) => {
          setShown(undefined);
          onSaved(saved);
        }}
        buttons={({ isChanged }) =>
          view !== undefined && (
            <>
              <Button disabled={isChanged} isBusy={busy === 'test'} onClick={() => void test()}>
                Test
              </Button>
              <Button
                icon="play"
                disabled={isChanged}
                isBusy={busy === 'run'}
                onClick={() => void run()}
              >
                Run now
              </Button>
              {isChanged && <span class="small soft">Save it to test and run it.</span>}
            </>
          )
        }
      />
      <div aria-live="polite">
        {shown?.kind === 'failure' && (
          <p class="field-error">{foreignLines(shown.message).join('\n')}</p>
        )}
        {shown?.kind === 'test' && (
          <section class="panel" aria-label="Test">
            <h2>What it would do</h2>
            <HookTestView test={shown.test} />
          </section>
        )}
        {shown?.kind === 'run' && <RunView run={shown.run} />}
      </div>
    </main>
  );
}

/** A hook whose server or tool is gone: it is updated or removed. */
function Invalid({ view: { hook, faults } }: { readonly view: HookView }) {
  const [failure, setFailure] = useState<string>();
  const update = () => {
    const { action = 0 } = faults.find((fault) => isInvalidHook({ faults: [fault] })) ?? {};
    const fields = document.querySelectorAll('.hook-action')[action];
    fields?.querySelector<HTMLElement>('.hook-tool button')?.click();
    fields?.querySelector<HTMLElement>('.hook-tools input')?.focus();
  };
  const remove = () =>
    ask('remove', { hook: hook.id }).catch((error: unknown) => setFailure(messageOf(error)));
  return (
    <section class="panel hook-invalid" role="note" aria-label="Invalid">
      {faults.map(({ message }) => (
        <p key={message}>{foreignLines(message).join('\n')}</p>
      ))}
      {failure && <p class="field-error">{failure}</p>}
      <p class="hook-invalid-buttons">
        <Button look="primary" onClick={update}>
          Update
        </Button>
        <Button look="danger" icon="remove" onClick={() => void remove()}>
          Remove
        </Button>
      </p>
    </section>
  );
}

/** What a run has done. Servers wrote the outputs: they are shown as text. */
function RunView({ run: { status, message, actions } }: { readonly run: HookRun }) {
  const { label, tone } = hookOutcomes[status];
  return (
    <section class="panel" aria-label="Run">
      <h2>
        Run <Badge tone={tone}>{label}</Badge>
      </h2>
      {message && <p class="field-error">{foreignLines(message).join('\n')}</p>}
      {actions.map((action, index) => (
        // Actions have no id, and their order is what identifies them.
        <section key={`action-${index + 1}`} class="hook-action-preview">
          <h3>{`${index + 1}. ${hookOutcomes[action.status].label} after ${action.durationMs} ms`}</h3>
          {action.message && <p class="field-error">{foreignLines(action.message).join('\n')}</p>}
          <Parameters params={action.parameterResolutions ?? {}} />
          {action.output !== undefined && <pre class="hook-output">{textOf(action.output)}</pre>}
        </section>
      ))}
    </section>
  );
}

function textOf(output: unknown): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
  return foreignLines(text).join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
