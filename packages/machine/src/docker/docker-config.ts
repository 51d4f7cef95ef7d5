import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The parts of the `docker` command's own settings that concern us too. */
interface DockerConfigFile {
  readonly folder: string;
  readonly currentContext?: string;
  readonly auths?: Readonly<Record<string, { readonly auth?: string }>>;
  /** The program that keeps all logins, and those that keep the login of one registry. */
  readonly credsStore?: string;
  readonly credHelpers?: Readonly<Record<string, string>>;
}

/** Reads `~/.docker/config.json`; a file that is missing or broken says nothing. */
export function readDockerConfig(env: NodeJS.ProcessEnv): DockerConfigFile {
  const folder = env.DOCKER_CONFIG || join(env.HOME ?? homedir(), '.docker');
  try {
    const config: unknown = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return { ...(config as object), folder };
  } catch {
    return { folder };
  }
}
