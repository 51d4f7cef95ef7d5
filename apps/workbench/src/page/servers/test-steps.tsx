import { duration } from '@errand/document/display';
import { Icon } from '@errand/parts/controls';
import { describeStep, toolCount } from '@errand/workspace/servers';
import type { ServerTest } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { Elapsed } from '../parts/time.tsx';
import { LastOutput } from './last-output.tsx';
import './test-steps.css';

/** The steps of a test with their durations, and its result. */
export function TestSteps({ test }: { readonly test: ServerTest }) {
  return (
    <div class="test-steps">
      <ol aria-label="Steps of the test">
        {test.steps.map((step) => (
          <li key={step.name} class={step.isDone ? 'is-done' : 'is-failed'}>
            <Icon name={step.isDone ? 'check' : 'close'} />
            <span class="step-name">
              {describeStep({ name: step.name })}
              {!step.isDone && <span class="visually-hidden"> (failed)</span>}
            </span>{' '}
            <span class="soft small">{duration(step.durationMs)}</span>
            {step.detail && <span class="step-detail soft small">{step.detail}</span>}
          </li>
        ))}
      </ol>
      <div role="status">
        {test.isRunning && (
          <p class="soft">
            Testing … <Elapsed since={test.startedAt} />
          </p>
        )}
        {test.tools !== null && (
          <p class="test-good">{`It works and has ${toolCount(test.tools)}.`}</p>
        )}
        {test.error && <p class="field-error">{inPage(test.error)}</p>}
      </div>
      {test.error?.lastWords && <LastOutput text={test.error.lastWords} />}
    </div>
  );
}
