import type { AgentVerdict } from '@errand/hooks';

type GuardAdvice = NonNullable<AgentVerdict['advice']>[number];

/** Why an agent must not go on, and what a person can do about it. */
export function denialText({ denial, advice = [] }: AgentVerdict): string | undefined {
  if (denial === undefined) return undefined;
  // Several guards may be stopped by the same thing.
  return [...new Set([denial, ...advice.map(commandOf)])].join('\n');
}

function commandOf(advice: GuardAdvice): string {
  switch (advice.kind) {
    case 'review-trust':
      return 'Look at it and agree with: errand trust';
    case 'try-again':
      return 'Try again in a moment.';
    case 'enable-hook':
      return `Let it run again with: errand hooks enable ${shellWord(advice.hook)}`;
    case 'disable-hook':
      return `Go on without it after: errand hooks disable ${shellWord(advice.hook)}`;
    case 'mend-hooks-file':
      return 'See what is wrong with: errand hooks';
  }
}

/** Not that of `advice.ts`, which would load the host: an agent waits for this program. */
function shellWord(name: string): string {
  if (/^[\w./-]+$/.test(name)) return name;
  return `'${name.replaceAll(/\p{C}+/gu, ' ').replaceAll("'", `'\\''`)}'`;
}
