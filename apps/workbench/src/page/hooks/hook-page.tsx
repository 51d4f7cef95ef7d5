import { foreignLines, oneLine } from '@errand/host';
import { Button, Icon } from '@errand/parts/controls';
import { HookTestView } from '@errand/parts/hook-editor';
import { describeHook, describeVerdict, nameServers } from '@errand/workspace/hooks';
import { useEffect, useState } from 'preact/hooks';
import type { HookReasons, HookView } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { JsonTree } from '../parts/content/json-tree.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { EffectList } from '../servers/effect-list.tsx';
import { HookActions } from './hook-actions.tsx';
import { faultText } from './hook-state.ts';
import { HookStatus } from './hook-status.tsx';
import { RunList } from './run-list.tsx';
import { useHooks } from './use-hooks.ts';

type Answer = { readonly kind: 'test'; readonly test: HookTest } | WhyAnswer;
type HookTest = Parameters<typeof HookTestView>[0]['test'];
interface WhyAnswer {
  readonly kind: 'why';
  readonly reasons: HookReasons;
}

/** One hook: what it does, what it would do, why it did not run, and its runs. */
export function HookPage({ id }: { readonly id: string }) {
  const model = useWorkbench();
  const [mostRuns, setMostRuns] = useState(30);
  const { hooks, runs, failure, reload } = useHooks(id, mostRuns);
  const [answer, setAnswer] = useState<Answer>();
  const [busy, setBusy] = useState<Answer['kind']>();
  const view = hooks?.find(({ hook }) => hook.id === id);
  if (view === undefined) {
    if (hooks === undefined && failure === undefined) {
      return (
        <p class="page soft" role="status">
          Loading …
        </p>
      );
    }
    return (
      <EmptyState icon="hooks" title="This hook no longer exists">
        <p>
          {failure?.message ?? 'It was removed.'} <a href={hrefTo('hooks')}>See all hooks</a>
        </p>
      </EmptyState>
    );
  }
  const ask = async (kind: Answer['kind']) => {
    setBusy(kind);
    const entry = api.hooks.entry[':id'];
    const param = { id };
    const found = await model.attempt<Answer>(async () =>
      kind === 'test'
        ? { kind, test: await entry.test.$get({ param }) }
        : { kind, reasons: await entry.why.$get({ param }) },
    );
    setBusy(undefined);
    if (found !== undefined) setAnswer(found);
  };
  return (
    <section class="page hook-page">
      <a class="back-link" href={hrefTo('hooks')}>
        <Icon name="back" /> All hooks
      </a>
      <header class="page-head">
        <h1>{oneLine(view.hook.name)}</h1>
      </header>
      <div class="panel hook-overview">
        <HookStatus view={view} />
        <HookActions view={view} onChanged={reload} />
      </div>
      <About view={view} />
      <div class="hook-questions">
        <Button isBusy={busy === 'test'} onClick={() => void ask('test')}>
          Test
        </Button>
        <Button icon="question" isBusy={busy === 'why'} onClick={() => void ask('why')}>
          Why did it not run?
        </Button>
      </div>
      <div aria-live="polite">
        {answer?.kind === 'test' && (
          <section class="panel" aria-labelledby="hook-test">
            <h2 id="hook-test">What it would do</h2>
            <HookTestView test={answer.test} />
          </section>
        )}
        {answer?.kind === 'why' && <Why reasons={answer.reasons} />}
      </div>
      <RunList
        title="Runs"
        runs={runs}
        onMore={runs.length === mostRuns && mostRuns < 500 ? () => setMostRuns(500) : undefined}
      />
    </section>
  );
}

function About({ view }: { readonly view: HookView }) {
  const { servers } = useWorkbench();
  const { hook, executionCount = 0, nextRun } = view;
  const lines = describeHook(nameServers(hook, servers.value)).flatMap(foreignLines);
  return (
    <section class="panel">
      <h2>What it does</h2>
      <EffectList lines={lines} />
      <p class="small soft">
        {executionCount === 0 ? 'It has not run yet.' : `It ran ${executionCount} times.`}
        {nextRun !== undefined && ` Next: ${new Date(nextRun).toLocaleString()}.`}
      </p>
      {hook.trigger.kind === 'http' && <Endpoint id={hook.id} />}
    </section>
  );
}

/** Where a hook that waits for HTTP requests is reached. */
function Endpoint({ id }: { readonly id: string }) {
  const [endpoint, setEndpoint] = useState<{ readonly url?: string; readonly token?: string }>();
  useEffect(() => {
    const leaving = new AbortController();
    api.hooks.entry[':id'].endpoint.$get({ param: { id } }, leaving.signal).then(
      setEndpoint,
      // Failures of the connection are shown elsewhere.
      () => {},
    );
    return () => leaving.abort();
  }, [id]);
  const { url, token } = endpoint ?? {};
  if (url === undefined || token === undefined) return null;
  const command = `curl -X POST ${url} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{}'`;
  return (
    <p class="hook-endpoint small">
      <span>
        POST to <code>{url}</code> with its token makes it run.
      </span>
      <CopyButton text={command} what="command" />
    </p>
  );
}

/** Why a hook did not run: what keeps it from running at all, then the last events. */
function Why({ reasons }: { readonly reasons: HookReasons }) {
  const { isEnabled, verdict, pausedAt, faults, events, skipped, example } = reasons;
  const general = [
    !isEnabled && 'It is switched off.',
    verdict === 'untrusted' && 'Nobody agreed to it on this machine.',
    verdict === 'changed' && 'It changed since it was agreed to.',
    pausedAt !== undefined &&
      `It is paused since ${new Date(pausedAt).toLocaleString()}, because it ran too often.`,
    ...faults.map(faultText),
  ].filter((reason) => reason !== false);
  return (
    <section class="panel" aria-labelledby="hook-why">
      <h2 id="hook-why">Why it did not run</h2>
      <ul class="hook-reasons">
        {general.map((reason) => (
          <li key={reason}>
            <strong>{reason}</strong>
          </li>
        ))}
        {events.map((event) => (
          <li key={event.eventId}>
            <span class="soft">{new Date(event.at).toLocaleString()}</span>{' '}
            {oneLine(describeVerdict(event), 500)}
          </li>
        ))}
        {skipped.map(({ at, message }) => (
          <li key={`${at} ${message}`}>
            <span class="soft">{new Date(at).toLocaleString()}</span> {oneLine(message, 500)}
          </li>
        ))}
      </ul>
      {example !== undefined && (
        <>
          <p>No event of its kind came yet. This would be one:</p>
          <JsonTree value={example.fields} />
        </>
      )}
    </section>
  );
}
