import { Icon, type IconName } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import './empty-state.css';

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
