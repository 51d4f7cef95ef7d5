import { HostError } from '@errand/host';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';
import { registryLogin } from './registry-login.ts';

interface PullOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly server: string;
  readonly signal: AbortSignal;
  /** Told how far it is, each time that changes. */
  readonly onProgress: (detail: string) => void;
}

/** Gets an image from its registry. Rejects with `image_missing` and the reason. */
export async function pullImage(
  engine: EngineClient,
  image: string,
  { env, server, signal, onProgress }: PullOptions,
): Promise<void> {
  onProgress(image);
  try {
    const answer = await engine.stream({
      method: 'POST',
      path: '/images/create',
      query: { fromImage: withTag(image) },
      headers: await registryLogin(image, env),
      signal,
    });
    const { createInterface } = await import('node:readline');
    const layers = new Map<string, LayerProgress>();
    let shown = image;
    for await (const line of createInterface({ input: answer })) {
      const { error, id, progressDetail } = JSON.parse(line) as PullLine;
      if (error !== undefined) throw imageMissing(image, server, error);
      if (id === undefined || !progressDetail?.total) continue;
      layers.set(id, { current: progressDetail.current ?? 0, total: progressDetail.total });
      const detail = `${image}: ${describeProgress([...layers.values()])}`;
      if (detail !== shown) onProgress(detail);
      shown = detail;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineRefusal) throw imageMissing(image, server, error.message);
    throw error;
  }
}

interface PullLine {
  readonly error?: string;
  readonly id?: string;
  readonly progressDetail?: Partial<LayerProgress>;
}

interface LayerProgress {
  readonly current: number;
  readonly total: number;
}

/** Without a tag the engine would get every image of that name. */
function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(name) ? image : `${image}:latest`;
}

function describeProgress(layers: readonly LayerProgress[]): string {
  const megabytes = (field: keyof LayerProgress) =>
    Math.ceil(layers.reduce((sum, layer) => sum + layer[field], 0) / 1e6);
  return `${megabytes('current')} of ${megabytes('total')} MB`;
}

function imageMissing(image: string, server: string, reason: string): HostError {
  return new HostError(
    'image_missing',
    `Server "${server}" needs the image ${image}, which is not on this machine and could not be pulled: ${reason}. Correct "image" in its settings, log in to its registry (docker login), or build or load it.`,
    { server, path: 'dockerConfig.image', neverSent: true },
  );
}
