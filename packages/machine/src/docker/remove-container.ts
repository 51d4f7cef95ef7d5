import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';

/** Removes a container, running or not, with its own volumes. One that is gone, or going, is fine. */
export async function removeContainer(engine: EngineClient, id: string): Promise<void> {
  try {
    await engine.ask({
      method: 'DELETE',
      path: `/containers/${id}`,
      query: { force: 'true', v: 'true' },
    });
  } catch (error) {
    if (!(error instanceof EngineRefusal && [404, 409].includes(error.status))) throw error;
  }
}
