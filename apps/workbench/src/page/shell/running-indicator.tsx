import { StopAll } from '../calls/stop-all.tsx';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import './running-indicator.css';

/** Says in every place that something runs, and ends it. */
export function RunningIndicator() {
  const { calls } = useWorkbench();
  const { active } = calls.value;
  if (active.length === 0) return null;
  const running = active.filter(({ status }) => status === 'executing').length;
  const waiting = active.length - running;
  const words = [running > 0 && `${running} running`, waiting > 0 && `${waiting} waiting`];
  return (
    <div class="running">
      <a href={hrefTo('calls')}>
        <span class="running-dot" aria-hidden="true" />
        {words.filter(Boolean).join(', ')}
      </a>
      <StopAll isSmall />
    </div>
  );
}
