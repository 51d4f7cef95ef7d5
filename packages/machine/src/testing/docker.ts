import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { DockerConfig, ServerConfig } from '@errand/host';
import { findEngine } from '../docker/engine-address.ts';
import { EngineClient } from '../docker/engine-client.ts';
import { ManagedConnector } from '../docker/managed-connector.ts';
import type { McpClientContext } from '../mcp/mcp-client-context.ts';
import type { ServerScript } from './server-script.ts';

/** The environment that names the engine of the test run. */
export const engineEnv = { DOCKER_HOST: process.env.ERRAND_TEST_DOCKER_HOST ?? '' };

export const testImage = process.env.ERRAND_TEST_IMAGE ?? '';

/** A folder of this repository, as something to mount. */
export function repositoryFolder(path: string): string {
  return fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
}

/** The settings entry of a server in a container of the test image. */
export function managedServer(
  config: Partial<DockerConfig>,
  entry: Partial<ServerConfig> = {},
): ServerConfig {
  const id = randomUUID();
  return {
    id,
    name: 'boxed',
    transport: 'stdio',
    deploymentType: 'managed',
    dockerConfig: { image: testImage, containerName: `errand-test-${id}`, ...config },
    enabled: true,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
    ...entry,
  };
}

/** The scriptable server in a container. */
export function scriptedContainer(
  script: ServerScript = {},
  config: Partial<DockerConfig> = {},
): ServerConfig {
  return managedServer({
    command: ['node', '/testing/scripted-server.ts', JSON.stringify(script)],
    mounts: [{ source: repositoryFolder('packages/machine/src/testing'), target: '/testing' }],
    ...config,
  });
}

export function hostSide(): McpClientContext {
  return {
    name: 'errand-test',
    version: '0.0.0',
    vaultFolder: repositoryFolder('.'),
    eras: new Map(),
    notifier: { notify: () => undefined },
  };
}

export function managedConnector(env: NodeJS.ProcessEnv = engineEnv): ManagedConnector {
  return new ManagedConnector({ host: hostSide(), env });
}

interface FoundContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly State: string;
  readonly Ports: readonly { readonly PublicPort?: number }[];
}

/** The containers whose name begins like that of a server's container. */
export function containersOf(
  { dockerConfig }: ServerConfig,
  env: NodeJS.ProcessEnv = engineEnv,
): Promise<FoundContainer[]> {
  const filters = JSON.stringify({ name: [dockerConfig?.containerName] });
  const query = { all: 'true', filters };
  return testEngine(env).ask({ method: 'GET', path: '/containers/json', query });
}

export function testEngine(env: NodeJS.ProcessEnv = engineEnv): EngineClient {
  return new EngineClient(findEngine(env));
}
