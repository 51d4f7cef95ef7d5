/** Waits until something holds that nobody tells us about. */
export async function until(holds: () => boolean, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It never came true: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
