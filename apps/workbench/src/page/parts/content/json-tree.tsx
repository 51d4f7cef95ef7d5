import { entriesOf, entryCount, escapeControls, openLevels } from '@errand/document/display';
import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';
import './json-tree.css';

const atOnce = 100;

/** A collapsible JSON tree; small values are expanded at first. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div class="json-tree">
      <Value value={value} openDepth={openLevels(value)} />
    </div>
  );
}

interface ValueProps {
  readonly name?: string;
  readonly value: unknown;
  /** How many levels from here on are open at first. */
  readonly openDepth: number;
}

function Value({ name, value, openDepth }: ValueProps) {
  const entries = entriesOf(value);
  if (entries !== undefined && entries.length > 0) {
    return <Branch {...(name !== undefined && { name })} value={value} openDepth={openDepth} />;
  }
  return (
    <div class="json-leaf">
      <Name name={name} />
      <span class={`json-${value === null ? 'null' : typeof value}`}>
        {escapeControls(JSON.stringify(value))}
      </span>
    </div>
  );
}

function Branch({ name, value, openDepth }: ValueProps) {
  const entries = entriesOf(value) ?? [];
  const [isOpen, setOpen] = useState(openDepth > 0);
  const [shown, setShown] = useState(atOnce);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="soft">{entryCount(value)}</span>
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([key, inner]) => (
            <Value key={key} name={key} value={inner} openDepth={openDepth - 1} />
          ))}
      {isOpen && entries.length > shown && (
        <Button isSmall onClick={() => setShown(shown * 10)}>
          {`Show more (${entries.length - shown} left)`}
        </Button>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span class="json-name">{escapeControls(name)}: </span>;
}
