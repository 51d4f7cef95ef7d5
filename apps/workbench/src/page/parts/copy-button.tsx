import { Button } from '@errand/parts/controls';
import { useEffect, useState } from 'preact/hooks';
import { useWorkbench } from '../model/use-workbench.ts';

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the accessible name. */
  readonly what: string;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const { toasts } = useWorkbench();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      const message = 'The browser does not let this page copy. Select the text and copy it.';
      toasts.show({ level: 'warning', message, detail: null, server: null });
    }
  };
  return (
    <Button
      isSmall
      icon={isCopied ? 'check' : 'copy'}
      onClick={copy}
      aria-label={isCopied ? `Copied the ${what}` : `Copy the ${what}`}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}
