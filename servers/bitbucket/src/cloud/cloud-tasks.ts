import type { Tasks } from '../api/bitbucket-api.ts';
import type { Task } from '../api/model.ts';
import type { Cloud, CloudClient } from './cloud-client.ts';
import { contentVersion, isoTime, showUser } from './cloud-model.ts';
import { listPages } from './cloud-pages.ts';
import { requestAddress } from './cloud-pull-requests.ts';

const all = '/repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/tasks';

/** Tasks of Cloud. */
export function cloudTasks(client: CloudClient): Tasks {
  return {
    list(name, page) {
      const { signal } = page;
      return listPages(
        page,
        ['tasks', name],
        { sort: 'created_on' },
        (query) => client.ask('get', all, { path: requestAddress(name), query, signal }),
        showTask,
      );
    },
    async get(name, id, signal) {
      const path = { ...requestAddress(name), task_id: id };
      return showTask(await client.ask('get', `${all}/{task_id}`, { path, signal }));
    },
    async add(name, { text, comment }, signal) {
      const made = await client.ask('post', all, {
        path: requestAddress(name),
        body: {
          content: { raw: text },
          ...(comment !== undefined && { comment: { type: 'comment', id: comment } }),
        },
        signal,
      });
      return showTask(made);
    },
    async update(name, current, { text, state }, signal) {
      const changed = await client.ask('put', `${all}/{task_id}`, {
        path: { ...requestAddress(name), task_id: current.id },
        body: {
          ...(text !== undefined && { content: { raw: text } }),
          ...(state !== undefined && { state: state === 'open' ? 'UNRESOLVED' : 'RESOLVED' }),
        },
        signal,
      });
      return showTask(changed);
    },
  };
}

function showTask(task: Cloud<'pullrequest_comment_task'>): Task {
  const { id = 0, content, state, creator, created_on, comment } = task;
  const text = content.raw ?? '';
  return {
    id,
    text,
    state: state === 'RESOLVED' ? 'resolved' : 'open',
    author: showUser(creator),
    created: isoTime(created_on),
    ...(comment?.id !== undefined && { comment: comment.id }),
    version: contentVersion([text, state]),
  };
}
