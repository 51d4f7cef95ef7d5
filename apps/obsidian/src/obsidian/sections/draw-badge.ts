import type { SectionBadge } from '../../sections/section-badges.ts';

/** A badge as an element of a window. */
export function drawBadge(doc: Document, { text, isBroken }: SectionBadge): HTMLElement {
  const el = doc.createElement('span');
  el.className = 'errand-section-badge';
  el.toggleAttribute('data-broken', isBroken);
  el.textContent = text;
  el.setAttribute('aria-label', isBroken ? `Calls are refused here: ${text}` : `Server: ${text}`);
  return el;
}
