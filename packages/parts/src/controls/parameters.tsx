import { foreignLines, foreignName } from '@errand/host';
import { useState } from 'preact/hooks';
import './parameters.css';

const shownAtFirst = 120;

export interface ParametersProps {
  readonly params: Readonly<Record<string, unknown>>;
  /** Shows long values in full, because a person approves the call by them. */
  readonly isWhole?: boolean;
}

/** The parameters of a call; long values are collapsed. */
export function Parameters({ params, isWhole = false }: ParametersProps) {
  const entries = Object.entries(params);
  if (entries.length === 0) return null;
  return (
    <dl class="parameters">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{foreignName(name)}</dt>
          <dd>
            <Value
              text={typeof value === 'string' ? value : JSON.stringify(value)}
              isWhole={isWhole}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }) {
  const [isOpen, setOpen] = useState(false);
  // A person may approve the call by this text, so characters that hide or reorder it are escaped.
  const shown = foreignLines(text).join('\n');
  const isLong = text.length > shownAtFirst || text.includes('\n');
  if (!isLong) return <>{shown}</>;
  if (isWhole) return <span class="parameter-whole">{shown}</span>;
  const [first = ''] = shown.slice(0, shownAtFirst).split('\n', 1);
  return (
    <button
      type="button"
      class="parameter-fold"
      aria-expanded={isOpen}
      title={isOpen ? 'Show less' : 'Show all of it'}
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? shown : `${first} …`}
    </button>
  );
}
