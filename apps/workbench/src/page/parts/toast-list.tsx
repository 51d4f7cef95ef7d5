import { Button } from '@errand/parts/controls';
import { inPage } from '../model/advice.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import './toast-list.css';

/** The visible toasts. */
export function ToastList() {
  const { toasts } = useWorkbench();
  const waiting = toasts.waiting.value;
  return (
    <section
      class="toasts"
      aria-label="Notices"
      aria-live="polite"
      onPointerEnter={() => toasts.hold(true)}
      onPointerLeave={() => toasts.hold(false)}
      onFocusCapture={() => toasts.hold(true)}
      onBlurCapture={() => toasts.hold(false)}
    >
      {toasts.shown.value.map(({ id, level, message, detail, advice = [] }) => (
        <div key={id} class={`toast ${level}`} role={level === 'error' ? 'alert' : 'status'}>
          <div>
            <p>{detail ? message : inPage({ message, advice })}</p>
            {detail && <p class="toast-detail small">{inPage({ message: detail, advice })}</p>}
          </div>
          <Button look="quiet" icon="close" isIconOnly isSmall onClick={() => toasts.close(id)}>
            Close
          </Button>
        </div>
      ))}
      {waiting > 0 && (
        <p class="toasts-more small">
          {`${waiting} more`}
          <Button isSmall onClick={() => toasts.closeAll()}>
            Close all
          </Button>
        </p>
      )}
    </section>
  );
}
