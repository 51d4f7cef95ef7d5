/** Focuses the first invalid field after its message has been rendered. */
export function focusFirstError(within: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = within?.querySelector<HTMLElement>('[aria-invalid="true"], [data-mistake]');
    field?.focus();
  });
}
