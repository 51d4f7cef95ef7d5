import { duration } from '@errand/document/display';
import { countdown } from '@errand/workspace/text';

/** A time that ticks: until something happens, or since it began. */
export function addTicking(el: HTMLElement, kind: 'until' | 'since', at: number): void {
  const time = el.createSpan({ cls: 'errand-time' });
  time.dataset.kind = kind;
  time.dataset.at = String(at);
  show(time, Date.now());
}

/** Brings all times in an element up to date; says whether there are any. */
export function tick(el: HTMLElement, now: number): boolean {
  const times = el.querySelectorAll<HTMLElement>('.errand-time');
  for (const time of times) show(time, now);
  return times.length > 0;
}

function show(time: HTMLElement, now: number): void {
  const at = Number(time.dataset.at);

  time.textContent =
    time.dataset.kind === 'until' ? countdown(at - now) : duration(Math.max(0, now - at));
}
