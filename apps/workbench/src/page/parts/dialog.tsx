import { Button } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import './dialog.css';

export interface DialogProps {
  readonly title: string;
  /** Called when the person presses Escape or the close button. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** The buttons in the footer. */
  readonly actions?: ComponentChildren;
  readonly isWide?: boolean;
}

const firstField = '.dialog-body :is(input:not([type=radio]), select, textarea)';

/** A modal dialog; the browser traps and restores the focus. */
export function Dialog({ title, onClose, children, actions, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = element;
    current?.showModal();
    // Focus the first control instead of the close button.
    current?.querySelector<HTMLElement>(firstField)?.focus();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet" icon="close" isIconOnly onClick={onClose}>
          Close
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
