/** The steps of the job of `killed-program.ts`, in order; `send` must not happen twice. */
export const tracedSteps = ['a', 'b', 'send', 'c'] as const;

/** Where the program is killed, once each: before a step acts, after it acted, and after its end was stored. */
export const killPoints = tracedSteps.flatMap((step) => [
  `before ${step}`,
  `after ${step}`,
  `stored ${step}`,
]);

/** The steps that acted in a job which was interrupted at a point. */
export function expectedTrace(point: string): readonly string[] {
  return tracedSteps.flatMap((step) => {
    // Nobody knows whether it acted, so it does not run again.
    if (step === 'send') return point === 'before send' ? [] : [step];
    return point === `after ${step}` ? [step, step] : [step];
  });
}
