import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import './json-tree.css';

const atOnce = 100;
/** An answer with no more values than this is open from top to bottom. */
const fewValues = 60;

/** JSON to look into: what holds more is opened by a click, small things are open already. */
export function JsonTree({ value }: { readonly value: unknown }) {
  const openDepth = countValues(value, fewValues) < fewValues ? Number.POSITIVE_INFINITY : 1;
  return (
    <div class="json-tree">
      <Value value={value} openDepth={openDepth} />
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
      <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
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
        <span class="soft">
          {Array.isArray(value) ? count(entries.length, 'item') : count(entries.length, 'field')}
        </span>
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
  return name === undefined ? null : <span class="json-name">{name}: </span>;
}

/** Values in all levels; counting ends where it is clear that there are many. */
function countValues(value: unknown, most: number): number {
  let found = 1;
  for (const [, inner] of entriesOf(value) ?? []) {
    if (found >= most) break;
    found += countValues(inner, most - found);
  }
  return found;
}

function entriesOf(value: unknown): readonly [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
