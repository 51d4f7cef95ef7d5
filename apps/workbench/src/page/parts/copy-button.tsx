import { useState } from 'preact/hooks';
import { useWorkbench } from '../model/use-workbench.ts';
import { Button } from './button.tsx';

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const { toasts } = useWorkbench();
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      const message = 'This browser does not let the page use the clipboard.';
      toasts.show({ level: 'warning', message, detail: 'Select the text and copy it yourself.' });
    }
  };
  return (
    <Button isSmall icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}
