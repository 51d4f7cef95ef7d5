import { findProcess } from '@errand/files/processes';

/** Whether each of these processes runs. */
export async function running(...pids: readonly number[]): Promise<boolean[]> {
  return (await Promise.all(pids.map(findProcess))).map((found) => found !== undefined);
}

/** Waits for the end of a process that is not our child, of which nobody tells us. */
export async function gone(pid: number, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await findProcess(pid)) !== undefined) {
    if (performance.now() > deadline) throw new Error(`Process ${pid} still runs.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
