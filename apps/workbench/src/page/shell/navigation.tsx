import { Icon } from '@errand/parts/controls';
import { StopAll } from '../calls/stop-all.tsx';
import { hrefTo, type PageName, pages } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import './navigation.css';
import './running-indicator.css';
import { pageTitles } from './title-of.ts';

/** Links to the pages, each with the number of things that need attention there. */
export function Navigation({ page }: { readonly page: PageName }) {
  const { state, servers, calls, pending } = useWorkbench();
  const troubled = servers.value.filter(
    ({ autoDisabled, connectionState }) => autoDisabled || connectionState === 'error',
  );
  // A server that failed for lack of approval must not count twice.
  const needing = new Set([...troubled, ...pending.value].map(({ id }) => id));
  const problems = state.value?.settings.problems.length ?? 0;
  const full = calls.value.sessions.filter(({ level }) => level === 'reached').length;
  const waiting = (state.value?.assistant.conversations ?? []).reduce(
    (sum, conversation) => sum + conversation.waiting,
    0,
  );
  const mail = (state.value?.mail?.waiting ?? 0) + (state.value?.mail?.wrong ?? 0);
  const counts: Readonly<Record<PageName, Count | undefined>> = {
    notes: undefined,
    servers: count(needing.size, needing.size === 1 ? 'needs attention' : 'need attention'),
    calls: count(full, full === 1 ? 'session is at its limit' : 'sessions are at their limit'),
    hooks: undefined,
    mail: count(mail, mail === 1 ? 'waits for you' : 'wait for you'),
    assistant: count(waiting, waiting === 1 ? 'call needs approval' : 'calls need approval'),
    settings: count(
      problems,
      problems === 1 ? 'problem in the settings file' : 'problems in the settings file',
    ),
  };
  return (
    <nav class="navigation" aria-label="Main">
      <p class="brand">
        <strong>Errand</strong>
        <span class="soft small" title={state.value?.vault.folder}>
          {state.value?.vault.name}
        </span>
      </p>
      <ul>
        {pages.map((name) => (
          <li key={name}>
            <a href={hrefTo(name)} aria-current={name === page ? 'page' : undefined}>
              <Icon name={name} />
              <span>{pageTitles[name]}</span>
              {counts[name] && (
                <span class="count" title={`${counts[name].number} ${counts[name].meaning}`}>
                  {counts[name].number}
                  <span class="visually-hidden"> {counts[name].meaning}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <RunningIndicator />
    </nav>
  );
}

interface Count {
  readonly number: number;
  readonly meaning: string;
}

function count(number: number, meaning: string): Count | undefined {
  return number === 0 ? undefined : { number, meaning };
}

/** Shows on every page how many calls are active, and stops them. */
function RunningIndicator() {
  const { calls } = useWorkbench();
  const { active } = calls.value;
  if (active.length === 0) return null;
  const running = active.filter(({ status }) => status === 'executing').length;
  const waiting = active.length - running;
  const counts = [running > 0 && `${running} running`, waiting > 0 && `${waiting} waiting`];
  return (
    <div class="running">
      <a href={hrefTo('calls')}>
        <span class="running-dot" aria-hidden="true" />
        {counts.filter(Boolean).join(', ')}
      </a>
      <StopAll isSmall />
    </div>
  );
}
