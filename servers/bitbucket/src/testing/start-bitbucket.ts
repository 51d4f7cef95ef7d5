import { type FaultProxy, startFaultProxy } from '@errand/server-kit/testing';
import type { Edition } from '../api/bitbucket-api.ts';
import { startCloud } from './cloud/start-cloud.ts';
import { startDataCenter } from './data-center/start-data-center.ts';
import { World, type WorldRepository, type WorldUser } from './double/world.ts';

export const editions: readonly Edition[] = ['data-center', 'cloud'];

/** A Bitbucket of ours with a proxy before it that breaks requests. */
export interface Bitbucket extends AsyncDisposable {
  readonly edition: Edition;
  readonly world: World;
  readonly proxy: FaultProxy;
  /** Who sends which header `Authorization`. */
  readonly known: Map<string, WorldUser | null>;
  /** The project or workspace that most repositories are in. */
  readonly owner: string;
  readonly ada: WorldUser;
  readonly grace: WorldUser;
  /** What `BITBUCKET_URL` is. */
  readonly url: string;
  /** The environment of a server that works for Ada. */
  readonly env: Readonly<Record<string, string>>;
  add(slug: string): Promise<WorldRepository>;
}

/** Secrets of the doubles; none of them may show anywhere. */
export const secrets = {
  'data-center': 'dc-secret-token-1',
  cloud: 'ATATT3x-secret-token-1',
} as const;

export function basic(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
}

/** Starts a double of an edition that knows Ada. */
export async function startBitbucket(
  edition: Edition,
  options?: Parameters<typeof startDataCenter>[2],
): Promise<Bitbucket> {
  const world = new World();
  const [ada, grace] = [world.user('ada'), world.user('grace')];
  const isCloud = edition === 'cloud';
  const token = secrets[edition];
  const known = new Map<string, WorldUser | null>([
    [isCloud ? basic(ada.email, token) : `Bearer ${token}`, ada],
  ]);
  const double = isCloud
    ? await startCloud(world, { known })
    : await startDataCenter(world, { known }, options);
  const proxy = await startFaultProxy(new URL(double.url).origin);
  const path = new URL(double.url).pathname.replace(/\/rest$/, '');
  const url = `${proxy.url.replace(/\/$/, '')}${path}`;
  const owner = isCloud ? 'acme' : 'ACME';
  return {
    edition,
    world,
    proxy,
    known,
    owner,
    ada,
    grace,
    url,
    env: {
      BITBUCKET_URL: url,
      BITBUCKET_TOKEN: token,
      ...(isCloud && { BITBUCKET_EMAIL: ada.email }),
    },
    add: (slug) => world.addRepository(owner, slug),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await double[Symbol.asyncDispose]();
      world[Symbol.dispose]();
    },
  };
}
