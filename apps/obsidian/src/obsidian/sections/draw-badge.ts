import type { SectionBadge } from '@errand/workspace/sections';

/** A badge as an element. */
export function drawBadge({ text, isBroken }: SectionBadge): HTMLElement {
  const el = createSpan({ cls: 'errand-section-badge', text });
  el.toggleAttribute('data-broken', isBroken);
  el.setAttribute('aria-label', isBroken ? `Calls are refused here: ${text}` : `Server: ${text}`);
  return el;
}
