import { oneLine } from '@errand/host';
import { Button, Icon } from '@errand/parts/controls';
import { describeTrigger } from '@errand/workspace/hooks';
import { useState } from 'preact/hooks';
import type { HookProblem, HookView } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Ago } from '../parts/time.tsx';
import { AgreeDialog } from './agree-dialog.tsx';
import { HookActions } from './hook-actions.tsx';
import { HookStatus } from './hook-status.tsx';
import { RunList } from './run-list.tsx';
import { useHooks } from './use-hooks.ts';

/** Rows in the page at first; thousands would make it slow. */
const atOnce = 50;

/** All hooks with their state, what is wrong in their file, and what ran last. */
export function HookList() {
  const { hooks, problems, runs, failure, reload } = useHooks();
  const [filter, setFilter] = useState('');
  const [most, setMost] = useState(atOnce);
  const [isReviewing, setReviewing] = useState(false);
  if (failure !== undefined && hooks === undefined) {
    return (
      <section class="page hooks">
        <h1>Hooks</h1>
        <EmptyState icon="warning" title="The hooks cannot be shown">
          <p>{failure.message}</p>
          <Button onClick={reload}>Try again</Button>
        </EmptyState>
      </section>
    );
  }
  const pending = hooks?.filter(({ verdict }) => verdict !== 'trusted') ?? [];
  const found = hooks?.filter((view) => isNamed(view, filter)) ?? [];
  return (
    <section class="page hooks" aria-busy={hooks === undefined}>
      <header class="page-head">
        <h1>Hooks</h1>
        {hooks !== undefined && hooks.length > 0 && <AddLink />}
      </header>
      {hooks === undefined && (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
      {pending.length > 0 && (
        <div class="hooks-pending" role="note">
          <p>
            <strong>
              {pending.length === 1
                ? '1 hook waits for your approval.'
                : `${pending.length} hooks wait for your approval.`}
            </strong>{' '}
            What came with this vault, or was changed elsewhere, does not run before.
          </p>
          <Button look="primary" onClick={() => setReviewing(true)}>
            Review
          </Button>
        </div>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
      {hooks?.length === 0 && problems.length === 0 && <NoHooks />}
      {hooks !== undefined && hooks.length > 8 && (
        <input
          class="control hooks-filter"
          type="search"
          aria-label="Filter the hooks"
          placeholder={`Filter ${hooks.length} hooks`}
          value={filter}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            setMost(atOnce);
          }}
        />
      )}
      {hooks !== undefined && hooks.length > 0 && found.length === 0 && (
        <p class="soft">No hook matches.</p>
      )}
      <ul class="hook-list">
        {found.slice(0, most).map((view) => (
          <HookRow key={view.hook.id} view={view} onChanged={reload} />
        ))}
      </ul>
      {found.length > most && (
        <p>
          <Button onClick={() => setMost(most + 200)}>
            {`Show more (${found.length - most} left)`}
          </Button>
        </p>
      )}
      {hooks !== undefined && hooks.length > 0 && <RunList title="Runs" runs={runs} isOfAll />}
      {isReviewing && (
        <AgreeDialog
          pending={pending}
          onClose={() => setReviewing(false)}
          onAgreed={() => {
            setReviewing(false);
            reload();
          }}
        />
      )}
    </section>
  );
}

function isNamed({ hook }: HookView, filter: string): boolean {
  const words = `${hook.name} ${describeTrigger(hook.trigger)}`.toLowerCase();
  return words.includes(filter.trim().toLowerCase());
}

interface HookRowProps {
  readonly view: HookView;
  readonly onChanged: () => void;
}

function HookRow({ view, onChanged }: HookRowProps) {
  const { hook, lastExecutedAt, nextRun } = view;
  return (
    <li class="hook-row">
      <div class="hook-name">
        <h2>
          <a href={hrefTo('hooks', hook.id)}>{oneLine(hook.name)}</a>
        </h2>
        <p class="small soft">{oneLine(describeTrigger(hook.trigger), 200)}</p>
      </div>
      <HookStatus view={view} />
      <dl class="hook-facts">
        <div>
          <dt>Last run</dt>
          <dd>{lastExecutedAt === undefined ? 'never' : <Ago at={lastExecutedAt} />}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>
            {nextRun === undefined ? (
              '–'
            ) : (
              <time dateTime={new Date(nextRun).toISOString()}>{nextTime(nextRun)}</time>
            )}
          </dd>
        </div>
      </dl>
      <HookActions view={view} onChanged={onChanged} />
    </li>
  );
}

function nextTime(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  return new Date(at).toLocaleString([], isToday ? time : { weekday: 'short', ...time });
}

function Problems({ problems }: { readonly problems: readonly HookProblem[] }) {
  return (
    <section class="panel hooks-problems" aria-labelledby="hooks-problems">
      <h2 id="hooks-problems">Entries that cannot be used</h2>
      <p class="soft small">
        The other hooks work. Correct these in <code>.errand/hooks.json</code>, and they appear
        here.
      </p>
      <ul>
        {problems.slice(0, atOnce).map(({ line, column, hookName, message }) => (
          <li key={`${line}:${column} ${message}`}>
            <code>{`.errand/hooks.json:${line}:${column}`}</code>{' '}
            {hookName !== undefined && <strong>{oneLine(hookName)}: </strong>}
            {message}
          </li>
        ))}
      </ul>
      {problems.length > atOnce && (
        <p class="soft small">{`and ${problems.length - atOnce} more.`}</p>
      )}
    </section>
  );
}

function AddLink() {
  return (
    <a class="button primary" href={hrefTo('hooks', '', { add: 1 })}>
      <Icon name="add" />
      New hook
    </a>
  );
}

function NoHooks() {
  return (
    <EmptyState icon="hooks" title="No hooks yet">
      <p>
        A hook does something when something happens: when a file is saved, a plan is ready, a call
        failed, or every evening. It calls a tool, asks an assistant, commits, or runs a program.
      </p>
      <AddLink />
    </EmptyState>
  );
}
