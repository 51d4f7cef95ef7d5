import type { HookTest } from '@errand/hooks';
import { foreignLines, oneLine } from '@errand/host';
import { describeCondition, describeMismatch } from '@errand/workspace/hooks';
import { Badge } from '../controls/badge.tsx';
import { Icon } from '../controls/icon.tsx';
import { Parameters } from '../controls/parameters.tsx';
import { actionTypes } from './action-fields.ts';
import './hook-test-view.css';

const origins: Readonly<Record<HookTest['origin'], string>> = {
  given: 'On the given event',
  recorded: 'On its last event',
  example: 'On an example, since no event came yet',
};

/** What a hook would do on an event: its conditions, and the parameters of each action. Nothing is called. */
export function HookTestView({ test }: { readonly test: HookTest }) {
  const { origin, event, mismatch, conditions, actions } = test;
  const when = origin === 'recorded' ? `, ${new Date(event.at).toLocaleString()}` : '';
  return (
    <div class="hook-test">
      <p class="hook-test-head">
        <Verdict test={test} />
        <span class="small soft">{`${origins[origin]}${when}`}</span>
      </p>
      {mismatch && (
        <p>{`The trigger does not fit: ${oneLine(describeMismatch(mismatch), 500)}.`}</p>
      )}
      {conditions.length > 0 && (
        <ul class="hook-conditions">
          {conditions.map(({ condition, actual, holds }) => (
            <li key={JSON.stringify(condition)} class={holds ? 'holds' : 'fails'}>
              <Icon name={holds ? 'check' : 'close'} />
              <span class="visually-hidden">{holds ? 'holds:' : 'fails:'}</span>
              <span>
                {oneLine(describeCondition(condition), 200)}
                {!holds && (
                  <span class="soft">{` – it is ${oneLine(JSON.stringify(actual) ?? 'missing', 200)}`}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {actions.map(({ type, resolved, problems }, index) => (
        // Actions have no id, and their order is what identifies them.
        <section
          key={`action-${index + 1}`}
          class="hook-action-preview"
          aria-label={`Action ${index + 1}`}
        >
          <h3>{`${index + 1}. ${actionTypes[type]}`}</h3>
          <Parameters params={resolved} />
          {problems.map((problem) => (
            <p key={problem} class="field-error small">
              {foreignLines(problem).join('\n')}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}

function Verdict({ test: { wouldRun, actions } }: { readonly test: HookTest }) {
  if (!wouldRun) return <Badge tone="warn">It would not run</Badge>;
  const isFine = actions.every(({ problems }) => problems.length === 0);
  return isFine ? (
    <Badge tone="good">It would run</Badge>
  ) : (
    <Badge tone="bad">It would run, and fail</Badge>
  );
}
