import { foreignLines, foreignName, oneLine } from '@errand/host';
import { Badge, Button } from '@errand/parts/controls';
import { useId, useState } from 'preact/hooks';
import type { Server, Tool } from '../../contract.ts';
import './tool-card.css';
import { TryTool } from './try-tool.tsx';

export interface ToolCardProps {
  readonly server: Server;
  readonly tool: Tool;
}

/** One tool: what it is for, and a form to try it. */
export function ToolCard({ server, tool }: ToolCardProps) {
  const { name, title, description, broken } = tool;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li class="tool-card">
      <div class="tool-head">
        <div class="tool-about">
          <h3>
            <code>{foreignName(name)}</code>
            {title && title !== name && <span class="soft"> {oneLine(title)}</span>}
          </h3>
          {description && (
            <p class={`tool-description small soft${isOpen ? ' is-whole' : ''}`}>
              {foreignLines(description).join('\n')}
            </p>
          )}
          {broken && <p class="field-error small">{`Cannot be called: ${broken}`}</p>}
        </div>
        <p class="tool-badges">
          {tool.isReadOnly && <Badge tone="good">Read-only</Badge>}
          {tool.isDestructive && <Badge tone="bad">Destructive</Badge>}
        </p>
        <Button
          isSmall
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? `Close ${foreignName(name)}` : `Try ${foreignName(name)}`}
          disabled={broken !== null}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Try'}
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <TryTool server={server} tool={tool} />}
      </div>
    </li>
  );
}
