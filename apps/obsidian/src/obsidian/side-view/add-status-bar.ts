import { describeStatus } from '@errand/workspace/activity';
import { onServersChange } from '@errand/workspace/servers';
import { showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { FrameThrottle } from './frame-throttle.ts';
import { openSideView } from './open-side-view.ts';

/** Says in the status bar what runs, how much of its calls the note has used, which servers need attention, that hooks are off, and how much mail waits. */
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
  plugin.register(vault.mail.subscribe(() => drawn.soon()));
  plugin.registerEvent(workspace.on('file-open', () => drawn.soon()));
  plugin.register(() => drawn.stop());
  draw(open, el);
}

function draw({ plugin, vault, activity }: OpenPlugin, el: HTMLElement): void {
  const note = plugin.app.workspace.getActiveFile()?.path;
  const idleHooks = vault.hasIdleHooks()
    ? 'The hooks of this vault run while errand up, serve or gateway runs'
    : undefined;
  const parts = describeStatus(activity, vault, {
    note,
    idleHooks,
    mail: vault.mail.counts,
  });
  el.toggleAttribute('hidden', parts.length === 0);
  el.empty();
  for (const { text, isWarning } of parts) {
    el.createSpan({ text, cls: isWarning ? 'errand-status-warning' : 'errand-status-part' });
  }
  const label = parts.map((part) => part.label).join('. ');
  el.setAttribute('aria-label', `Errand. ${label}. Open the side view`);
}
