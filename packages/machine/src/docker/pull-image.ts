import { execFile } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { LineSplitter, type LongLine, parseJson } from '@errand/wire/node';
import { findProgram } from '../node/find-program.ts';
import { readDockerConfig } from './docker-config.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';

interface PullOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly server: string;
  readonly signal: AbortSignal;
  /** Called each time the progress changes. */
  readonly onProgress: (detail: string) => void;
}

/** How much of one line of progress is read, in bytes. */
const longestLine = 1024 * 1024;
/** Of how many layers the progress is kept; engines limit an image to 127. */
const maxLayers = 1000;

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
    const layers = new Map<string, LayerProgress>();
    let shown = image;
    const takeLine = (line: Buffer) => {
      const { error, id, progressDetail } = readLine(line);
      if (error !== undefined) throw imageMissing(image, server, error);
      if (id === undefined || !progressDetail?.total) return;
      if (layers.size === maxLayers && !layers.has(id)) return;
      layers.set(id, { current: progressDetail.current ?? 0, total: progressDetail.total });
      const detail = `${image}: ${describeProgress([...layers.values()])}`;
      if (detail !== shown) onProgress(detail);
      shown = detail;
    };
    const tooLong = ({ bytes }: LongLine) => {
      throw imageMissing(image, server, `the engine sent a line of ${bytes} bytes`);
    };
    const splitter = new LineSplitter(longestLine, { line: takeLine, tooLong });
    for await (const chunk of answer) splitter.push(chunk as Buffer);
    splitter.end();
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

function readLine(line: Buffer): PullLine {
  const parsed = parseJson(line);
  if (parsed.kind === 'json' && isRecord(parsed.value)) return parsed.value;
  return { error: 'the engine sent progress that cannot be read' };
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

const dockerHub = 'https://index.docker.io/v1/';

/** The header by which the engine may pull an image from a registry that `docker login` knows. */
async function registryLogin(
  image: string,
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, string>>> {
  const registry = registryOf(image);
  const { auths, credsStore, credHelpers } = readDockerConfig(env);
  const helper = credHelpers?.[registry] ?? credsStore;
  const stored = auths?.[registry]?.auth;
  const login =
    helper === undefined ? stored && decode(stored) : await askHelper(helper, registry, env);
  if (!login) return {};
  const value = Buffer.from(JSON.stringify({ ...login, serveraddress: registry }));
  // The alphabet for addresses, but padded: older engines ignore a login without padding.
  const encoded = value.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return { 'x-registry-auth': encoded };
}

/** The first part of an image's name is a registry when it looks like a machine. */
function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : dockerHub;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
}

function decode(auth: string): Login {
  const [, username = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(auth, 'base64').toString()) ?? [];
  return { username, password };
}

/** A helper that is missing or knows nothing is no failure: most images need no login. */
function askHelper(
  helper: string,
  registry: string,
  env: NodeJS.ProcessEnv,
): Promise<Login | undefined> {
  // By its full path: a name alone might be found in the current folder.
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute);
  const program = findProgram(`docker-credential-${helper}`, folders);
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = execFile(program, ['get'], { env }, (error, answer) => {
      resolve(error === null ? readAnswer(answer) : undefined);
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(registry);
  });
}

function readAnswer(answer: string): Login | undefined {
  try {
    const { Username, Secret } = JSON.parse(answer) as { Username: string; Secret: string };
    return Username === '<token>'
      ? { identitytoken: Secret }
      : { username: Username, password: Secret };
  } catch {
    return undefined;
  }
}
