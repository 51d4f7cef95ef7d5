import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { CloudPaths } from '../../cloud/cloud-client.ts';
import { Routes, serveDouble } from '../double/routes.ts';
import { Refusal, type World, type WorldUser } from '../double/world.ts';
import { cloudCommentRoutes } from './comment-routes.ts';
import { cloudPipelineRoutes } from './pipeline-routes.ts';
import { cloudPullRequestRoutes } from './pull-request-routes.ts';
import { cloudRepositoryRoutes } from './repository-routes.ts';
import { cloudAccount } from './show-world.ts';
import { cloudSourceRoutes } from './source-routes.ts';

/** Starts a Cloud of ours. */
export async function startCloud(
  world: World,
  { known }: { readonly known: Map<string, WorldUser | null> },
) {
  const routes = new Routes<CloudPaths>();
  routes.on('get', '/user', ({ user }) => {
    if (user === undefined) throw new Refusal(403, 'This token has no user.');
    return cloudAccount(user);
  });
  cloudRepositoryRoutes(routes, world);
  cloudSourceRoutes(routes, world);
  cloudPullRequestRoutes(routes, world);
  cloudCommentRoutes(routes, world);
  cloudPipelineRoutes(routes, world);
  return await serveDouble({
    prefix: '/2.0',
    routes,
    authenticate(authorization) {
      const user = known.get(authorization ?? '');
      if (user !== undefined) return user ?? undefined;
      throw new Refusal(401, 'Token is invalid or not supported for this endpoint.');
    },
    refusal: ({ message }) => ({ type: 'error', error: { message } }),
  });
}

/** Starts what gives OAuth tokens for two hours, or for as long as it is told. */
export async function startTokenGiver(
  known: Map<string, WorldUser | null>,
  user: WorldUser,
  client: { readonly id: string; readonly secret: string },
) {
  const given: string[] = [];
  const expected = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const server = createServer((request, response) => {
    request.resume();
    if (request.headers.authorization !== expected) {
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":"invalid_client"}');
      return;
    }
    const token = `oauth-secret-${randomUUID()}`;
    given.push(token);
    known.set(`Bearer ${token}`, user);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: token, expires_in: 7200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${address.port}/site/oauth2/access_token`,
    given,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
