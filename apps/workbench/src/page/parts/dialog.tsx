import { Button } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import './dialog.css';
import { keepFocus } from './focus-heading.ts';

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

/** A modal dialog; the browser traps the focus, and gives it back to what opened it. */
export function Dialog({ title, onClose, children, actions, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = element;
    current?.showModal();
    // Focus the first control instead of the close button.
    current?.querySelector<HTMLElement>(firstField)?.focus();
  }, []);
  useLayoutEffect(
    () => () => {
      // Before it leaves the document: afterwards the browser gives no focus back.
      element.current?.close();
      // What opened it may be gone.
      if (document.activeElement === document.body) keepFocus();
    },
    [],
  );
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
