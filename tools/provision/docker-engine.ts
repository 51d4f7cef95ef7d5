import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EnginePaths, enginePaths } from './engine-paths.ts';
import { engineRequest } from './engine-request.ts';
import { lockFile } from './file-lock.ts';
import { hasRecordedEngine, isHealthy, startDockerd, stopDockerd } from './private-dockerd.ts';

/** A Docker engine that stays until its last user has disposed it. */
export interface DockerEngine extends AsyncDisposable {
  /** Its address as `DOCKER_HOST` has it. */
  readonly host: string;
}

/** Starts the project's private engine, or shares the one that another test run is using. */
export async function useDockerEngine(
  projectFolder: string,
  env: NodeJS.ProcessEnv,
): Promise<DockerEngine> {
  const place = enginePaths(projectFolder);
  mkdirSync(place.dataFolder, { recursive: true });
  await using _ = await changing(place);
  const alone = await becomeOnlyUser(place);
  if (alone !== undefined || !(await isHealthy(place))) {
    // Either nobody uses what is there, so that a killed run left it, or it has died under its users.
    await stopEngine(place);
    await startDockerd(place, env);
    await removeContainers(place);
  }
  await alone?.[Symbol.asyncDispose]();
  const use = await lockFile(usersPath(place), { mode: 'shared', wait: true });
  return {
    host: `unix://${place.socketPath}`,
    async [Symbol.asyncDispose]() {
      await using _ = await changing(place);
      await use?.[Symbol.asyncDispose]();
      await stopIfUnused(place);
    },
  };
}

/** Ends an engine that a killed test run left behind. */
export async function endAbandonedEngine(projectFolder: string): Promise<void> {
  const place = enginePaths(projectFolder);
  if (!hasRecordedEngine(place)) return;
  mkdirSync(place.dataFolder, { recursive: true });
  await using _ = await changing(place);
  await stopIfUnused(place);
}

async function stopIfUnused(place: EnginePaths): Promise<void> {
  await using alone = await becomeOnlyUser(place);
  if (alone !== undefined) await stopEngine(place);
}

async function stopEngine(place: EnginePaths): Promise<void> {
  if (await isHealthy(place)) await removeContainers(place);
  await stopDockerd(place);
}

/** What a test left would be waited for at the end and would keep its name and port at the next start. */
async function removeContainers(place: EnginePaths): Promise<void> {
  const { text } = await engineRequest(place.socketPath, '/containers/json?all=true');
  for (const { Id } of JSON.parse(text) as { Id: string }[]) {
    await engineRequest(place.socketPath, `/containers/${Id}?force=true`, { method: 'DELETE' });
  }
}

/** Engines are started and stopped by one process at a time. */
function changing(place: EnginePaths): Promise<AsyncDisposable | undefined> {
  return lockFile(join(place.dataFolder, 'change.lock'), { mode: 'exclusive', wait: true });
}

/** Undefined while a test run uses the engine; each holds a shared lock as long as it lives. */
function becomeOnlyUser(place: EnginePaths): Promise<AsyncDisposable | undefined> {
  return lockFile(usersPath(place), { mode: 'exclusive', wait: false });
}

function usersPath(place: EnginePaths): string {
  return join(place.dataFolder, 'users.lock');
}
