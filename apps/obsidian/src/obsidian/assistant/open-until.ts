import type { Modal } from 'obsidian';

/** Opens a dialog, and closes it when what it asks about is over; tells when it is closed, however that happened. */
export function openUntil(modal: Modal, signal: AbortSignal, onClosed: () => void): void {
  if (signal.aborted) {
    onClosed();
    return;
  }
  const close = () => modal.close();
  signal.addEventListener('abort', close, { once: true });
  modal.setCloseCallback(() => {
    signal.removeEventListener('abort', close);
    onClosed();
  });
  modal.open();
}
