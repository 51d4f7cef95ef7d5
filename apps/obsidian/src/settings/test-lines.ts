import { duration } from '@errand/document/display';
import { describeStep, type RunningTest, toolCount } from '@errand/workspace/servers';
import { describeThrown } from '../text/advice.ts';

/** What a test shows: each step with its time, then what came of it. */
export function testLines(test: RunningTest | undefined): readonly string[] {
  if (test === undefined) return [];
  const steps = test.steps.map(({ name, detail, durationMs, isDone }) => {
    const mark = isDone ? '✓' : '✗';
    const about = detail === undefined ? '' : ` (${detail})`;
    return `${mark} ${describeStep({ name })}${about}: ${duration(durationMs)}`;
  });
  if (test.isRunning) return [...steps, 'Testing …'];
  if (test.tools !== undefined) return [...steps, `It works and has ${toolCount(test.tools)}.`];
  return [...steps, describeThrown(test.error)];
}
