import type { ComponentChildren } from 'preact';
import './badge.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

export interface BadgeProps {
  readonly tone?: Tone;
  /** Something is happening right now. */
  readonly isLive?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A short label of a state; its colour only repeats the text. */
export function Badge({ tone = 'neutral', isLive = false, title, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}${isLive ? ' is-live' : ''}`} title={title}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
