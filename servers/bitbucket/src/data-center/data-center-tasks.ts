import type { Tasks } from '../api/bitbucket-api.ts';
import type { Task } from '../api/model.ts';
import type { DataCenterClient, Rest } from './data-center-client.ts';
import { isoTime, showUser } from './data-center-model.ts';
import { listPages } from './data-center-pages.ts';
import { requestAddress } from './data-center-pull-requests.ts';

const all =
  '/api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/blocker-comments';

/** Tasks of Data Center, which are comments that block the merge. */
export function dataCenterTasks(client: DataCenterClient): Tasks {
  const address = (name: Parameters<typeof requestAddress>[0], id: number) => ({
    ...requestAddress(name),
    commentId: String(id),
  });
  return {
    list(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['tasks', name],
        ({ start, limit }) =>
          client.ask('get', all, {
            path: requestAddress(name),
            query: {
              start: [String(start)],
              limit: [String(limit)],
              state: ['OPEN', 'RESOLVED'],
            },
            signal,
          }),
        (task) => showTask(task as Rest<'RestComment'>),
      );
    },
    async get(name, id, signal) {
      const path = address(name, id);
      return showTask(await client.ask('get', `${all}/{commentId}`, { path, signal }));
    },
    async add(name, { text, comment }, signal) {
      const made = await client.ask('post', all, {
        path: requestAddress(name),
        body: {
          text,
          severity: 'BLOCKER',
          ...(comment !== undefined && { parent: { id: comment } }),
        },
        signal,
      });
      return showTask(made);
    },
    async update(name, current, { text, state }, signal) {
      const changed = await client.ask('put', `${all}/{commentId}`, {
        path: address(name, current.id),
        body: {
          ...(text !== undefined && { text }),
          ...(state !== undefined && { state: state === 'open' ? 'OPEN' : 'RESOLVED' }),
          version: Number(current.version),
        },
        signal,
      });
      return showTask(changed);
    },
  };
}

function showTask(task: Rest<'RestComment'>): Task {
  const { id = 0, text = '', state, author, createdDate, parent, version = 0 } = task;
  return {
    id,
    text,
    state: state === 'RESOLVED' ? 'resolved' : 'open',
    author: showUser(author),
    created: isoTime(createdDate),
    ...(parent?.id !== undefined && { comment: parent.id }),
    version: String(version),
  };
}
