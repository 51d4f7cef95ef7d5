import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import './json-tree.css';

const atOnce = 100;

/** JSON to look into: what holds more is opened by a click, small things are open already. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div class="json-tree">
      <Value value={value} depth={0} />
    </div>
  );
}

interface ValueProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Value({ name, value, depth }: ValueProps) {
  const entries = entriesOf(value);
  if (entries !== undefined && entries.length > 0) {
    return <Branch {...(name !== undefined && { name })} value={value} depth={depth} />;
  }
  return (
    <div class="json-leaf">
      <Name name={name} />
      <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
    </div>
  );
}

function Branch({ name, value, depth }: ValueProps) {
  const entries = entriesOf(value) ?? [];
  const [isOpen, setOpen] = useState(depth === 0 || (depth === 1 && entries.length <= 10));
  const [shown, setShown] = useState(atOnce);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="soft">
          {Array.isArray(value) ? count(entries.length, 'item') : count(entries.length, 'field')}
        </span>
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([key, inner]) => <Value key={key} name={key} value={inner} depth={depth + 1} />)}
      {isOpen && entries.length > shown && (
        <Button isSmall onClick={() => setShown(shown * 10)}>
          {`Show more (${entries.length - shown} left)`}
        </Button>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span class="json-name">{name}: </span>;
}

function entriesOf(value: unknown): readonly [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
