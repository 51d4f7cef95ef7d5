import { sessionOfNote } from '@errand/host';
import { onServersChange, troubledServers } from '../../side-view/server-states.ts';
import { statusLine } from '../../side-view/status-line.ts';
import { showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { FrameThrottle } from './frame-throttle.ts';
import { openSideView } from './open-side-view.ts';

/** Says in the status bar what runs, how much of its calls the note has used, and which servers need attention. */
export function addStatusBar(open: OpenPlugin): void {
  const { plugin, vault, activity } = open;
  const { workspace } = plugin.app;
  const el = plugin.addStatusBarItem();
  el.classList.add('errand-status', 'mod-clickable');
  el.setAttribute('role', 'button');
  el.tabIndex = 0;
  const drawn = new FrameThrottle(el, () => draw(open, el));
  const show = () => void openSideView(plugin.app).catch(showFailure);
  plugin.registerDomEvent(el, 'click', show);
  plugin.registerDomEvent(el, 'keydown', ({ key }) => {
    if (key === 'Enter' || key === ' ') show();
  });
  plugin.register(activity.subscribe(() => drawn.soon()));
  plugin.register(onServersChange(vault, () => drawn.soon()));
  plugin.registerEvent(workspace.on('file-open', () => drawn.soon()));
  plugin.register(() => drawn.stop());
  draw(open, el);
}

function draw({ plugin, vault, activity }: OpenPlugin, el: HTMLElement): void {
  const { active, isStopped } = activity.snapshot;
  const running = active.filter(({ status }) => status === 'executing').length;
  const file = plugin.app.workspace.getActiveFile();
  const parts = statusLine({
    running,
    waiting: active.length - running,
    isStopped,
    session: file === null ? undefined : activity.sessions.describe(sessionOfNote(file.path)),
    troubled: troubledServers(vault),
  });
  el.toggleAttribute('hidden', parts.length === 0);
  el.empty();
  for (const { text, isWarning } of parts) {
    el.createSpan({ text, cls: isWarning ? 'errand-status-warning' : 'errand-status-part' });
  }
  const label = parts.map((part) => part.label).join('. ');
  el.setAttribute('aria-label', `Errand. ${label}. Open the side view`);
}
