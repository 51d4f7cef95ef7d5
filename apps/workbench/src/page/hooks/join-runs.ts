import type { HookRunBrief, HookView } from '../../contract.ts';

/** Runs that wait or work first, then the newest; bounded, however many there were. */
export function joinRuns(
  known: readonly HookRunBrief[],
  changed: readonly HookRunBrief[],
  most: number,
): readonly HookRunBrief[] {
  const byId = new Map([...known, ...changed].map((run) => [run.id, run]));
  const isBefore = (a: HookRunBrief, b: HookRunBrief) =>
    Number(isActive(b)) - Number(isActive(a)) || b.startedAt - a.startedAt;
  return [...byId.values()].toSorted(isBefore).slice(0, most);
}

export function isActive({ status }: Pick<HookRunBrief, 'status'>): boolean {
  return status === 'running' || status === 'queued';
}

/** The hooks after runs of some of them changed; what cannot be known from a run is read again later. */
export function applyRuns(
  hooks: readonly HookView[],
  known: readonly HookRunBrief[],
  changed: readonly HookRunBrief[],
): readonly HookView[] {
  const before = new Map(known.map((run) => [run.id, run]));
  const ofHook = new Map<string, { active: number; last: HookRunBrief }>();
  for (const run of changed) {
    const earlier = before.get(run.id);
    const { active = 0 } = ofHook.get(run.hookId) ?? {};
    const was = earlier !== undefined && isActive(earlier) ? 1 : 0;
    ofHook.set(run.hookId, { active: active + Number(isActive(run)) - was, last: run });
  }
  return hooks.map((view) => {
    const news = ofHook.get(view.hook.id);
    if (news === undefined) return view;
    const { id, status, startedAt } = news.last;
    return {
      ...view,
      active: Math.max(0, view.active + news.active),
      ...(!isActive(news.last) && { lastRun: { id, status }, lastExecutedAt: startedAt }),
    };
  });
}
