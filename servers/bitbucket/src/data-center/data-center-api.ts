import { McpError, type ServiceClient, ServiceError } from '@errand/server-kit';
import type { BitbucketApi, ServerFacts } from '../api/bitbucket-api.ts';
import { createFileCache } from '../api/file-cache.ts';
import type { User } from '../api/model.ts';
import { createTypedClient } from '../api/typed-client.ts';
import type { DataCenterPaths } from './data-center-client.ts';
import { dataCenterComments } from './data-center-comments.ts';
import { type RestUser, showBuild, showUser } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { dataCenterPullRequests } from './data-center-pull-requests.ts';
import { dataCenterRepositories } from './data-center-repositories.ts';
import { dataCenterSource } from './data-center-source.ts';
import { dataCenterTasks } from './data-center-tasks.ts';

/** Data Center behind the model of both editions; the client asks below `…/rest`. */
export function createDataCenterApi(service: ServiceClient): BitbucketApi {
  const client = createTypedClient<DataCenterPaths>(service);
  /** Who the credentials belong to: persons are named by their user names, and by a slug in addresses. */
  let person: { readonly user: User; readonly slug: string } | undefined;

  const probe = async (signal: AbortSignal): Promise<ServerFacts> => {
    const response = await client.fetch('get', '/api/latest/application-properties', { signal });
    const { version } = response.json() as { readonly version?: string };
    const name = response.headers.get('x-ausername');
    person = name === null ? undefined : await findPerson(name, signal);
    return { edition: 'data-center', version, user: person?.user };
  };

  const findPerson = async (name: string, signal: AbortSignal) => {
    const decoded = decodeURIComponent(name);
    const found = await client
      .ask('get', '/api/latest/users', {
        query: { filter: [decoded], limit: ['1000'] },
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof ServiceError && error.kind === 'forbidden') return {};
        throw error;
      });
    const { values = [] } = found as { readonly values?: readonly RestUser[] };
    const user = values.find((each) => each.name === decoded) ?? { name: decoded };
    return { user: showUser(user), slug: user.slug ?? decoded };
  };

  const myself = async (signal: AbortSignal) => {
    if (person === undefined) await probe(signal);
    if (person !== undefined) return person;
    throw new McpError(
      'permission_denied',
      'This token belongs to no person, and this needs one. Use an HTTP access token of a user.',
    );
  };

  return {
    edition: 'data-center',
    probe,
    me: async (signal) => (await myself(signal)).user,
    repositories: dataCenterRepositories(client),
    source: dataCenterSource(client, createFileCache(), service),
    pullRequests: dataCenterPullRequests(client, myself),
    comments: dataCenterComments(client),
    tasks: dataCenterTasks(client),
    builds: {
      list(name, commit, page) {
        const { signal } = page;
        return listPages(
          page,
          ['builds', name, commit],
          (at) =>
            client.ask('get', '/build-status/latest/commits/{commitId}', {
              path: { commitId: commit },
              query: at,
              signal,
            }),
          showBuild,
        );
      },
    },
  };
}
