import { randomBytes } from 'node:crypto';
import type { ConnectStep } from '@errand/host';
import { HostError } from '@errand/host';
import { ownerOf } from './container-labels.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineRefusal } from './engine-refusal.ts';
import { isGone } from './host-identity.ts';
import { pullImage } from './pull-image.ts';
import { removeContainer } from './remove-container.ts';

interface CreateOptions {
  readonly server: string;
  /** The name to have, if it is free. */
  readonly name: string;
  readonly spec: ContainerSpec;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly onStep: (step: ConnectStep) => void;
}

const maxAttempts = 5;

/** Creates a container, pulling its image when it is missing; resolves with its id. */
export async function createContainer(
  engine: EngineClient,
  options: CreateOptions,
): Promise<string> {
  const { server, spec, signal, onStep } = options;
  let { name } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const query = { name };
      const path = '/containers/create';
      const created = await engine.ask<{ Id: string }>({ method: 'POST', path, query, body: spec });
      return created.Id;
    } catch (error) {
      if (!(error instanceof EngineRefusal) || attempt === maxAttempts) throw error;
      if (isMissingImage(error)) {
        const onProgress = (detail: string) => onStep({ name: 'pull', detail });
        await pullImage(engine, spec.Image, { ...options, onProgress });
        onStep({ name: 'start', detail: spec.Image });
      } else if (isNameTaken(error)) {
        name = await freeName(engine, server, options.name);
      } else {
        throw error;
      }
    }
    signal.throwIfAborted();
  }
}

function isMissingImage({ status, message }: EngineRefusal): boolean {
  return status === 404 && /image/i.test(message);
}

function isNameTaken({ message }: EngineRefusal): boolean {
  return /name .* is already in use/i.test(message);
}

/** Frees the name where a dead host of ours held it; beside a living one another name is taken. */
async function freeName(engine: EngineClient, server: string, name: string): Promise<string> {
  const holder = await inspectByName(engine, name);
  if (holder === undefined) return name;
  const owner = ownerOf(holder.Config.Labels);
  if (owner === undefined) throw nameTaken(server, name);
  if (!(await isGone(owner))) return `${name}-${randomBytes(3).toString('hex')}`;
  await removeContainer(engine, holder.Id);
  return name;
}

interface InspectedContainer {
  readonly Id: string;
  readonly Config: { readonly Labels?: Readonly<Record<string, string>> | null };
}

async function inspectByName(
  engine: EngineClient,
  name: string,
): Promise<InspectedContainer | undefined> {
  try {
    return await engine.ask({ method: 'GET', path: `/containers/${name}/json` });
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404) return undefined;
    throw error;
  }
}

function nameTaken(server: string, name: string): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" cannot start: there is a container named ${name} that is not Errand's. Remove it (docker rm ${name}), or change "containerName" in its settings.`,
    { server, path: 'dockerConfig.containerName', neverSent: true },
  );
}
