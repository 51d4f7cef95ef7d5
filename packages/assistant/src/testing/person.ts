import type { Approver } from '../turn/approval.ts';

/** A person who answers every question alike, and remembers them. */
export function person(answer: boolean): Approver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    approve: async ({ server, tool, parameters }) => {
      asked.push(`${server} ${tool} ${JSON.stringify(parameters)}`);
      return answer;
    },
  };
}
