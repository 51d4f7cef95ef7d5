import type { ComponentChildren } from 'preact';
import './badge.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

export interface BadgeProps {
  readonly tone?: Tone;
  /** Shows that something is in progress. */
  readonly isLive?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A short label of a state; its colour adds no information to the text. */
export function Badge({ tone = 'neutral', isLive = false, title, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}${isLive ? ' is-live' : ''}`} title={title}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}
