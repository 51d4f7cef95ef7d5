import { useWorkbench } from '../model/use-workbench.ts';
import { Button } from './button.tsx';
import './toast-list.css';

/** Notices that do not get in the way. */
export function ToastList() {
  const { toasts } = useWorkbench();
  return (
    <section class="toasts" aria-label="Notices" aria-live="polite">
      {toasts.shown.value.map(({ id, level, message, detail }) => (
        <div key={id} class={`toast ${level}`} role={level === 'error' ? 'alert' : 'status'}>
          <div>
            <p>{message}</p>
            {detail && <p class="toast-detail small">{detail}</p>}
          </div>
          <Button look="quiet" icon="close" isIconOnly isSmall onClick={() => toasts.close(id)}>
            Close
          </Button>
        </div>
      ))}
    </section>
  );
}
