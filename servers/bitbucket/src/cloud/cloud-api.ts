import { McpError, type ServiceClient, ServiceError } from '@errand/server-kit';
import type { BitbucketApi, ServerFacts } from '../api/bitbucket-api.ts';
import { createFileCache } from '../api/file-cache.ts';
import type { User } from '../api/model.ts';
import { createTypedClient } from '../api/typed-client.ts';
import type { CloudPaths } from './cloud-client.ts';
import { cloudComments } from './cloud-comments.ts';
import { showBuild, showUser } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { cloudPipelines } from './cloud-pipelines.ts';
import { cloudPullRequests } from './cloud-pull-requests.ts';
import { addressOf, cloudRepositories } from './cloud-repositories.ts';
import { cloudSource } from './cloud-source.ts';
import { cloudTasks } from './cloud-tasks.ts';

/** Cloud behind the model of both editions; the client asks below `…/2.0`. */
export function createCloudApi(service: ServiceClient): BitbucketApi {
  const client = createTypedClient<CloudPaths>(service);
  let known: User | undefined;

  const probe = async (signal: AbortSignal): Promise<ServerFacts> => {
    try {
      known = showUser(await client.ask('get', '/user', { signal }));
    } catch (error) {
      // Access tokens of repositories, projects and workspaces belong to nobody.
      if (!(error instanceof ServiceError && error.kind === 'forbidden')) throw error;
    }
    return { edition: 'cloud', user: known };
  };

  const me = async (signal: AbortSignal): Promise<User> => {
    known ??= (await probe(signal)).user;
    if (known !== undefined) return known;
    throw new McpError(
      'permission_denied',
      'This access token belongs to no person, and this needs one. Use an API token with the e-mail of its owner, and give it the scope read:user:bitbucket.',
    );
  };

  return {
    edition: 'cloud',
    probe,
    me,
    repositories: cloudRepositories(client),
    source: cloudSource(client, createFileCache()),
    pullRequests: cloudPullRequests(client, me),
    comments: cloudComments(client),
    tasks: cloudTasks(client),
    builds: {
      list(name, commit, page) {
        const { signal } = page;
        return listPages(
          page,
          ['builds', name, commit],
          {},
          (query) =>
            client.ask('get', '/repositories/{workspace}/{repo_slug}/commit/{commit}/statuses', {
              path: { ...addressOf(name), commit },
              query,
              signal,
            }),
          showBuild,
        );
      },
    },
    pipelines: cloudPipelines(client),
  };
}
