import { foreignName } from '@errand/host';
import { Icon } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import './call-card.css';

export interface CallCardProps {
  /** The accessible name. */
  readonly label: string;
  readonly server: string | null;
  readonly tool: string | null;
  /** The state of the call and its buttons. */
  readonly head: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a tool call: server, tool, state and content. */
export function CallCard({ label, server, tool, head, children }: CallCardProps) {
  return (
    <section class="call-card" aria-label={label}>
      <header>
        <p class="call-name">
          <span class="soft">{server ?? 'no server'}</span>
          <Icon name="forward" />
          <strong>{tool === null ? 'no tool' : foreignName(tool)}</strong>
        </p>
        {head}
      </header>
      {children}
    </section>
  );
}
