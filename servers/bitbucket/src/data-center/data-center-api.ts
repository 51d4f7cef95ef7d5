import { McpError, type ServiceClient, ServiceError } from '@errand/server-kit';
import type { BitbucketApi, ServerFacts } from '../api/bitbucket-api.ts';
import { createFileCache } from '../api/file-cache.ts';
import { createTypedClient } from '../api/typed-client.ts';
import type { DataCenterPaths } from './data-center-client.ts';
import { dataCenterComments } from './data-center-comments.ts';
import { showBuild, showUser } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { dataCenterPullRequests } from './data-center-pull-requests.ts';
import { dataCenterRepositories } from './data-center-repositories.ts';
import { dataCenterSource } from './data-center-source.ts';
import { dataCenterTasks } from './data-center-tasks.ts';

/** Data Center behind the model of both editions; the client asks below `…/rest`. */
export function createDataCenterApi(service: ServiceClient): BitbucketApi {
  const client = createTypedClient<DataCenterPaths>(service);
  let slug: string | undefined;

  const probe = async (signal: AbortSignal): Promise<ServerFacts> => {
    const response = await client.fetch('get', '/api/latest/application-properties', { signal });
    const { version } = response.json() as { readonly version?: string };
    const name = response.headers.get('x-ausername');
    const user = name === null ? undefined : await findUser(name, signal);
    slug = user?.id;
    return { edition: 'data-center', version, user };
  };

  const findUser = async (name: string, signal: AbortSignal) => {
    const decoded = decodeURIComponent(name);
    try {
      const { values = [] } = (await client.ask('get', '/api/latest/users', {
        query: { filter: [decoded] },
        signal,
      })) as { readonly values?: readonly Parameters<typeof showUser>[0][] };
      return showUser(values.find((each) => each?.name === decoded) ?? { name: decoded });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'forbidden')
        return showUser({ name: decoded });
      throw error;
    }
  };

  const me = async (signal: AbortSignal) => {
    slug ??= (await probe(signal)).user?.id;
    if (slug !== undefined) return slug;
    throw new McpError(
      'permission_denied',
      'This token belongs to no person, and this needs one. Use an HTTP access token of a user.',
    );
  };

  return {
    edition: 'data-center',
    probe,
    repositories: dataCenterRepositories(client),
    source: dataCenterSource(client, createFileCache(), service),
    pullRequests: dataCenterPullRequests(client, me),
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
