/** Resolves like the promise, or with undefined after the timeout. */
export function within<Value>(promise: Promise<Value>, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
