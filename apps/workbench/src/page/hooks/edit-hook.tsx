import { oneLine } from '@errand/host';
import { Icon } from '@errand/parts/controls';
import { HookForm, type HookFormPorts } from '@errand/parts/hook-editor';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Failure, HookOptions, HookView } from '../../contract.ts';
import { api, failureOf } from '../model/api.ts';
import { goTo, hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';

/** Adds a hook, or changes one. */
export function EditHook({ id }: { readonly id?: string }) {
  const { loaded, failure } = useLoaded(id);
  if (loaded !== undefined) return <EditForm {...loaded} />;
  return (
    <section class="page">
      <h1>{id === undefined ? 'New hook' : 'Edit a hook'}</h1>
      {failure === undefined ? (
        <p class="soft" role="status">
          Loading …
        </p>
      ) : (
        <EmptyState icon="warning" title="This hook cannot be edited">
          <p>
            {failure.message} <a href={hrefTo('hooks')}>See all hooks</a>
          </p>
        </EmptyState>
      )}
    </section>
  );
}

interface Loaded {
  readonly options: HookOptions;
  readonly view: HookView | undefined;
}

/** Read once: what others change meanwhile must not replace what is being typed. */
function useLoaded(id: string | undefined) {
  const [loaded, setLoaded] = useState<Loaded>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const read = async () => {
      try {
        const [options, { hooks }] = await Promise.all([
          api.hooks.options.$get(),
          id === undefined ? { hooks: [] } : api.hooks.$get(),
        ]);
        const view = hooks.find(({ hook }) => hook.id === id);
        if (id === undefined || view !== undefined) setLoaded({ options, view });
        else setFailure({ code: 'not_found', message: 'It was removed.' });
      } catch (error) {
        setFailure(failureOf(error));
      }
    };
    void read();
  }, [id]);
  return { loaded, failure };
}

function EditForm({ options, view }: Loaded) {
  const model = useWorkbench();
  const ports = useMemo(() => formPorts(model), [model]);
  const back = view === undefined ? hrefTo('hooks') : hrefTo('hooks', view.hook.id);
  return (
    <section class="page edit-hook">
      <a class="back-link" href={back}>
        <Icon name="back" /> {view === undefined ? 'All hooks' : oneLine(view.hook.name)}
      </a>
      <h1>{view === undefined ? 'New hook' : `Edit ${oneLine(view.hook.name)}`}</h1>
      <HookForm
        view={view}
        options={options}
        ports={ports}
        onSaved={({ hook }) => {
          model.toasts.tell(`Saved "${oneLine(hook.name)}".`);
          goTo('hooks', hook.id);
        }}
        buttons={({ discard }) => (
          <a class="button plain" href={back} onClick={discard}>
            Cancel
          </a>
        )}
      />
    </section>
  );
}

function formPorts(model: ReturnType<typeof useWorkbench>): HookFormPorts {
  return {
    async discover(isFresh, signal) {
      const query = isFresh ? { refresh: '1' } : {};
      return (await api.hooks.servers.$get({ query }, signal)).servers;
    },
    preview: (draft, signal) => api.hooks.preview.$post({ json: { draft: { ...draft } } }, signal),
    async save(hook, seen) {
      const json = { hook: { ...hook }, ...(seen !== undefined && { seen }) };
      try {
        return { view: await api.hooks.$post({ json }) };
      } catch (error) {
        const { fields } = failureOf(error);
        if (fields === undefined) throw error;
        return { mistakes: fields };
      }
    },
    onToolsChange: (listener) =>
      model.subscribe(({ kind }) => {
        if (kind === 'servers-changed' || kind === 'tools-changed') listener();
      }),
    describe: (error) => failureOf(error).message,
  };
}
