import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';

const shownAtFirst = 1_200;
const linesAtFirst = 40;

/** Text as it is; a long one is folded, and opened in steps so that the page stays quick. */
export function PlainText({ text }: { readonly text: string }) {
  const [steps, setSteps] = useState(0);
  const first = firstPart(text);
  const shown = Math.min(text.length, first * 8 ** steps);
  const rest = text.length - shown;
  return (
    <div class="plain-text">
      <pre>{rest > 0 ? text.slice(0, shown) : text}</pre>
      {first < text.length && (
        <div class="plain-text-steps">
          {rest > 0 && (
            <Button isSmall onClick={() => setSteps(steps + 1)}>
              {`Show more (${size(rest)} left)`}
            </Button>
          )}
          {steps > 0 && (
            <Button isSmall onClick={() => setSteps(0)}>
              Show less
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function firstPart(text: string): number {
  let end = -1;
  for (let line = 0; line < linesAtFirst; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text.length <= shownAtFirst * 2 ? text.length : shownAtFirst;
    if (end > shownAtFirst) return shownAtFirst;
  }
  // Nobody wants to press a button for a few lines.
  return text.length - end <= 400 ? text.length : end;
}

/** `12 KB`, `9.8 MB`. */
function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} characters`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
