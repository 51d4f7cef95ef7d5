import { duration } from '@errand/document/display';
import { foreignLines, oneLine } from '@errand/host';
import { Button, Icon, Parameters } from '@errand/parts/controls';
import { actionTypes } from '@errand/parts/hook-editor';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure, HookRun, WorkbenchEvent } from '../../contract.ts';
import { adviceInPage } from '../model/advice.ts';
import { api, failureOf } from '../model/api.ts';
import { goTo, hrefTo } from '../model/route.ts';
import { useEvents, useWorkbench } from '../model/use-workbench.ts';
import { JsonTree } from '../parts/content/json-tree.tsx';
import { PlainText } from '../parts/content/plain-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Ago } from '../parts/time.tsx';
import '../calls/call-page.css';
import { isActive } from './join-runs.ts';
import { CancelRun, RunBadge } from './run-list.tsx';

/** One run in full: its event, and what each action was given and gave back. */
export function RunPage({ id }: { readonly id: string }) {
  const { run, failure } = useRun(id);
  const model = useWorkbench();
  const rerun = async () => {
    const begun = await model.attempt(() => api.hooks.runs[':id'].rerun.$post({ param: { id } }));
    if (begun !== undefined) goTo('hooks', '', { run: begun.id });
  };
  return (
    <div class="page run-page">
      <a class="back-link" href={run === undefined ? hrefTo('hooks') : hrefTo('hooks', run.hookId)}>
        <Icon name="back" /> {run === undefined ? 'All hooks' : oneLine(run.hookName)}
      </a>
      <header class="page-head">
        {/* One heading for all states: it has the focus, and must not lose it. */}
        <h1>Run {run && <span class="soft">{new Date(run.startedAt).toLocaleString()}</span>}</h1>
        {run && <RunBadge status={run.status} />}
        {run && isActive(run) && <CancelRun id={run.id} name={run.hookName} />}
        {run && !isActive(run) && (
          <Button isSmall icon="redo" onClick={() => void rerun()}>
            Run again
          </Button>
        )}
      </header>
      {run !== undefined ? (
        <RunReport run={run} />
      ) : failure !== undefined ? (
        <EmptyState icon="question" title="This run cannot be shown">
          <p>{failure.message}</p>
        </EmptyState>
      ) : (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
    </div>
  );
}

function useRun(id: string) {
  const [run, setRun] = useState<HookRun>();
  const [failure, setFailure] = useState<Failure>();
  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        setRun(await api.hooks.runs[':id'].$get({ param: { id } }, signal));
        setFailure(undefined);
      } catch (error) {
        if (!signal?.aborted) setFailure(failureOf(error));
      }
    },
    [id],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load]);
  useEvents(
    useCallback(
      (event: WorkbenchEvent) => {
        const isAbout =
          event.kind === 'reload' ||
          (event.kind === 'hook-runs-changed' && event.runs.some((changed) => changed.id === id));
        if (isAbout) void load();
      },
      [load, id],
    ),
  );
  return { run, failure };
}

function RunReport({ run }: { readonly run: HookRun }) {
  const { event, fields = {}, chain, startedAt, endedAt, actions, message } = run;
  return (
    <>
      {typeof message === 'string' && message !== '' && (
        <div class={run.status === 'skipped' ? 'hook-note' : 'failed'} role="note">
          <p class="failed-message">{foreignLines(message).join('\n')}</p>
        </div>
      )}
      <dl class="facts">
        <dt>Because of</dt>
        <dd>{oneLine(String(event.kind), 100)}</dd>
        <dt>Began</dt>
        <dd>
          <Ago at={startedAt} />
        </dd>
        {typeof endedAt === 'number' && (
          <>
            <dt>Duration</dt>
            <dd>{duration(endedAt - startedAt)}</dd>
          </>
        )}
        {Number(chain.depth) > 1 && (
          <>
            <dt>Chain</dt>
            <dd>{`run ${Number(chain.depth)} that one event led to`}</dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <code>{run.id}</code>
        </dd>
      </dl>
      {actions.map((action, index) => (
        // Actions have no id, and their order is what identifies them.
        <Action key={`action-${index + 1}`} number={index + 1} action={action} />
      ))}
      {actions.length === 0 && <p class="soft">No action has ended.</p>}
      <section class="panel" aria-labelledby="run-event">
        <h2 id="run-event">Event</h2>
        <JsonTree value={event.fields} />
        {Object.keys(fields).length > 0 && (
          <details>
            <summary>Fields that conditions and templates could use</summary>
            <JsonTree value={fields} />
          </details>
        )}
      </section>
    </>
  );
}

interface ActionProps {
  readonly number: number;
  readonly action: HookRun['actions'][number];
}

function Action({ number, action }: ActionProps) {
  const { type, status, durationMs, parameterResolutions, output, outputFile, message } = action;
  return (
    <section class="panel" aria-label={`Action ${number}`}>
      <header class="panel-head">
        <h2>{`${number}. ${actionTypes[type] ?? oneLine(String(type), 100)}`}</h2>
        <span class="hook-action-end">
          <RunBadge status={status} />
          {typeof durationMs === 'number' && <span class="soft">{duration(durationMs)}</span>}
        </span>
      </header>
      {typeof message === 'string' && <p class="field-error">{foreignLines(message).join('\n')}</p>}
      {adviceInPage(action.advice ?? []).map((step) => (
        <p key={step}>{step}</p>
      ))}
      {parameterResolutions !== undefined && <Parameters params={parameterResolutions} />}
      {output !== undefined &&
        (typeof output === 'string' ? <PlainText text={output} /> : <JsonTree value={output} />)}
      {typeof outputFile === 'string' && (
        <p class="small soft">
          The whole output is in <code>{oneLine(outputFile)}</code>.
        </p>
      )}
    </section>
  );
}
