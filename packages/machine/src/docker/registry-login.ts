import { execFile } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { findProgram } from '../node/find-program.ts';
import { readDockerConfig } from './docker-config.ts';

const dockerHub = 'https://index.docker.io/v1/';

/** The header by which the engine may pull an image from a registry that `docker login` knows. */
export async function registryLogin(
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
