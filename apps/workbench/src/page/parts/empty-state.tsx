import type { ComponentChildren } from 'preact';
import './empty-state.css';
import { Icon, type IconName } from './icon.tsx';

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** The next step. */
  readonly children?: ComponentChildren;
}

/** A placeholder for empty lists and failures, with the next step. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children && <div class="soft">{children}</div>}
    </div>
  );
}
