import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A ref for a form: each time `refusals` grows, the first invalid field gets the focus, and folded ones are unfolded.
 * This happens in the render that shows the mistakes; later, it would take the focus from a field that is being typed in.
 */
export function useFocusOnRefusal(refusals: number) {
  const form = useRef<HTMLFormElement>(null);
  const handled = useRef(refusals);
  useLayoutEffect(() => {
    if (handled.current === refusals) return;
    handled.current = refusals;
    const invalid = form.current?.querySelectorAll<HTMLElement>(invalidFields) ?? [];
    for (const field of invalid) field.closest('details')?.setAttribute('open', '');
    invalid[0]?.focus();
  }, [refusals]);
  return form;
}

const invalidFields = '[aria-invalid="true"], [data-mistake]';
