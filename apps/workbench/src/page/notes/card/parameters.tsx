import { useState } from 'preact/hooks';
import './parameters.css';

const shownAtFirst = 120;

/** What a block sends to its tool: a name and a value each, long ones folded. */
export function Parameters({ params }: { readonly params: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(params);
  if (entries.length === 0) return null;
  return (
    <dl class="parameters">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value text={typeof value === 'string' ? value : JSON.stringify(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > shownAtFirst || text.includes('\n');
  if (!isLong) return <>{text}</>;
  const [first = ''] = text.slice(0, shownAtFirst).split('\n', 1);
  return (
    <button
      type="button"
      class="parameter-fold"
      aria-expanded={isOpen}
      title={isOpen ? 'Show less' : 'Show all of it'}
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? text : `${first} …`}
    </button>
  );
}
