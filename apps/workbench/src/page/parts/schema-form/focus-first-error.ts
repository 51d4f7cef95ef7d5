/** Brings the first field with a mistake to the person, once its message is on the page. */
export function focusFirstError(within: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = within?.querySelector<HTMLElement>('[aria-invalid="true"], [data-mistake]');
    field?.focus();
  });
}
