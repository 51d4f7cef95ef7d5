import { escapeControls, foldText } from '@errand/document/display';
import { Button } from '@errand/parts/controls';
import { useState } from 'preact/hooks';

/** Plain text with escaped invisible characters; long text is expanded in steps. */
export function PlainText({ text }: { readonly text: string }) {
  const [steps, setSteps] = useState(0);
  const { shown, left, isShort } = foldText(text, steps);
  return (
    <div class="plain-text">
      <pre>{escapeControls(shown)}</pre>
      {!isShort && (
        <div class="plain-text-steps">
          {left !== undefined && (
            <Button isSmall onClick={() => setSteps(steps + 1)}>
              {`Show more (${left} left)`}
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
