import type { DataCenterPaths } from '../../data-center/data-center-client.ts';
import { Routes, serveDouble } from '../double/routes.ts';
import { Refusal, type World, type WorldUser } from '../double/world.ts';
import { commentRoutes } from './comment-routes.ts';
import { pullRequestRoutes } from './pull-request-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { sourceRoutes } from './source-routes.ts';

export interface DoubleAccess {
  /** Who sends a header `Authorization`; `null` for tokens that belong to nobody. */
  readonly known: ReadonlyMap<string, WorldUser | null>;
}

/** Starts a Data Center of ours, at a context path. */
export async function startDataCenter(
  world: World,
  { known }: DoubleAccess,
  { version = '9.4.1', contextPath = '/bitbucket' } = {},
) {
  const routes = new Routes<DataCenterPaths>();
  routes.on('get', '/api/latest/application-properties', () => ({
    version,
    buildNumber: '9004001',
    displayName: 'Bitbucket',
  }));
  routes.on('get', '/api/latest/users', (({ query }: { query: URLSearchParams }) => ({
    isLastPage: true,
    values: world.users
      .filter(({ name }) => name.includes(query.get('filter') ?? ''))
      .map(({ name, slug, displayName }) => ({ slug, name, displayName })),
  })) as never);
  repositoryRoutes(routes, world);
  sourceRoutes(routes, world);
  pullRequestRoutes(routes, world);
  commentRoutes(routes, world);
  return await serveDouble({
    prefix: `${contextPath}/rest`,
    routes,
    authenticate(authorization, path) {
      const user = known.get(authorization ?? '');
      if (user !== undefined) return user ?? undefined;
      // The one question that needs no credentials, unless wrong ones are sent.
      if (authorization === undefined && path.endsWith('application-properties')) return undefined;
      throw new Refusal(401, 'Authentication failed. Please check your credentials and try again.');
    },
    headers: (user) => (user === undefined ? {} : { 'x-ausername': encodeURIComponent(user.name) }),
    refusal: ({ message }) => ({ errors: [{ context: null, message, exceptionName: null }] }),
  });
}
