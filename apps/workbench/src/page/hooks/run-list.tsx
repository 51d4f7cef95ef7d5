import { duration } from '@errand/document/display';
import { oneLine } from '@errand/host';
import { Badge, Button } from '@errand/parts/controls';
import { hookOutcomes } from '@errand/workspace/hooks';
import { useState } from 'preact/hooks';
import type { HookRunBrief } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Ago, Elapsed } from '../parts/time.tsx';
import '../calls/call-list.css';
import { isActive } from './join-runs.ts';

export interface RunListProps {
  readonly title: string;
  readonly runs: readonly HookRunBrief[];
  /** Whether rows name their hooks. */
  readonly isOfAll?: boolean;
  /** Shows older runs, where there may be some. */
  readonly onMore?: (() => void) | undefined;
}

/** Runs, those that work first, each with its outcome and time. */
export function RunList({ title, runs, isOfAll = false, onMore }: RunListProps) {
  return (
    <section class="panel" aria-labelledby="hook-runs">
      <h2 id="hook-runs">{title}</h2>
      {runs.length === 0 ? (
        <p class="soft">Nothing has run yet.</p>
      ) : (
        <ol class="call-list hook-runs">
          {runs.map((run) => (
            <RunRow key={run.id} run={run} isOfAll={isOfAll} />
          ))}
        </ol>
      )}
      {onMore && (
        <p>
          <Button onClick={onMore}>Show older runs</Button>
        </p>
      )}
    </section>
  );
}

function RunRow({ run, isOfAll }: { readonly run: HookRunBrief; readonly isOfAll: boolean }) {
  const { id, hookName, status, event, startedAt, endedAt, message } = run;
  const when = new Date(startedAt).toLocaleString();
  return (
    <li>
      <span class="call-status">
        <RunBadge status={status} />
      </span>
      <a class="call-name" href={hrefTo('hooks', '', { run: id })}>
        {isOfAll ? oneLine(hookName) : when}
      </a>
      <span class="call-source soft">{oneLine(event)}</span>
      <span class="call-time">
        {isActive(run) ? (
          <Elapsed since={startedAt} />
        ) : (
          endedAt !== null && duration(endedAt - startedAt)
        )}
      </span>
      <span class="call-action soft">
        {isActive(run) ? <CancelRun id={id} name={hookName} /> : <Ago at={startedAt} />}
      </span>
      {message !== null && status !== 'success' && (
        <p class={status === 'skipped' ? 'call-error is-calm' : 'call-error'}>
          {oneLine(message, 300)}
        </p>
      )}
    </li>
  );
}

/** How a run or an action is, or ended. */
export function RunBadge({ status }: { readonly status: HookRunBrief['status'] }) {
  const { label, tone } = hookOutcomes[status] ?? { label: String(status), tone: 'neutral' };
  return (
    <Badge tone={tone} isLive={status === 'running'}>
      {label}
    </Badge>
  );
}

/** Ends a run that waits or works, also at the server. */
export function CancelRun({ id, name }: { readonly id: string; readonly name: string }) {
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    await model.attempt(() => api.hooks.runs[':id'].cancel.$post({ param: { id } }));
    setBusy(false);
  };
  return (
    <Button isSmall isBusy={isBusy} onClick={cancel} aria-label={`Cancel ${oneLine(name)}`}>
      Cancel
    </Button>
  );
}
