import * as z from 'zod';

/** One model of what both editions know. Times are ISO 8601. */
export const user = z.object({
  id: z.string().describe('What other tools take for this person'),
  name: z.string(),
});

export const project = z.object({
  key: z.string().describe('What other tools take for this project'),
  name: z.string(),
  description: z.string().optional(),
  is_private: z.boolean().optional(),
});

export const repository = z.object({
  repository: z.string().describe('What other tools take for this repository'),
  name: z.string(),
  description: z.string().optional(),
  default_branch: z.string().optional(),
  is_private: z.boolean(),
  is_archived: z.boolean().optional(),
  fork_of: z.string().optional(),
  url: z.string().optional(),
});

export const branch = z.object({
  name: z.string(),
  commit: z.string(),
  is_default: z.boolean().optional(),
});

export const commit = z.object({
  id: z.string(),
  message: z.string(),
  author: z.string(),
  date: z.string(),
  parents: z.array(z.string()),
});

export const change = z.object({
  path: z.string(),
  type: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'unknown']),
  old_path: z.string().optional(),
  lines_added: z.int().optional(),
  lines_removed: z.int().optional(),
});

export const entry = z.object({
  path: z.string(),
  type: z.enum(['file', 'directory', 'submodule']),
  size: z.int().optional(),
});

export const hit = z.object({
  repository: z.string().optional(),
  path: z.string(),
  lines: z.array(z.object({ line: z.int(), text: z.string() })),
});

const reviewState = z.enum(['approved', 'needs_work', 'none']);

const endpoint = z.object({
  branch: z.string(),
  commit: z.string().optional(),
  repository: z.string().optional().describe('Where it differs, as in a fork'),
});

/** A pull request as lists show it. */
export const pullRequestSummary = z.object({
  repository: z.string(),
  id: z.int(),
  title: z.string(),
  state: z.enum(['open', 'merged', 'declined', 'superseded']),
  draft: z.boolean().optional(),
  author: user,
  source: endpoint,
  target: endpoint,
  reviewers: z.array(z.object({ ...user.shape, review: reviewState })),
  created: z.string(),
  updated: z.string(),
  version: z.string().describe('For merge_pull_request and update_pull_request'),
  url: z.string().optional(),
});

export const pullRequest = z.object({
  ...pullRequestSummary.shape,
  description: z.string().optional(),
  merge_commit: z.string().optional(),
});

export const comment = z.object({
  id: z.int(),
  author: user,
  text: z.string(),
  created: z.string(),
  version: z.string(),
  pending: z.boolean().optional(),
  deleted: z.boolean().optional(),
});

export const thread = z.object({
  ...comment.shape,
  inline: z
    .object({
      path: z.string(),
      old_path: z.string().optional(),
      line: z.int().optional(),
      side: z.enum(['new', 'old']),
    })
    .optional(),
  resolved: z.boolean(),
  is_task: z.boolean().optional(),
  replies: z.array(z.object({ ...comment.shape, parent: z.int().optional() })),
});

export const task = z.object({
  id: z.int(),
  text: z.string(),
  state: z.enum(['open', 'resolved']),
  author: user,
  created: z.string(),
  comment: z.int().optional().describe('The comment that it belongs to'),
  version: z.string(),
});

export const build = z.object({
  key: z.string(),
  name: z.string(),
  state: z.enum(['successful', 'failed', 'in_progress', 'stopped', 'unknown']),
  description: z.string().optional(),
  url: z.string().optional(),
  updated: z.string().optional(),
});

export const pipeline = z.object({
  id: z.string(),
  number: z.int(),
  state: z.string(),
  result: z.string().optional(),
  ref: z.string().optional(),
  commit: z.string().optional(),
  created: z.string(),
  completed: z.string().optional(),
  duration_seconds: z.number().optional(),
});

export const pipelineStep = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  result: z.string().optional(),
  duration_seconds: z.number().optional(),
});

export type User = z.infer<typeof user>;
export type Project = z.infer<typeof project>;
export type Repository = z.infer<typeof repository>;
export type Branch = z.infer<typeof branch>;
export type Commit = z.infer<typeof commit>;
export type Change = z.infer<typeof change>;
export type Entry = z.infer<typeof entry>;
export type Hit = z.infer<typeof hit>;
export type PullRequest = z.infer<typeof pullRequest>;
export type Comment = z.infer<typeof comment>;
export type Thread = z.infer<typeof thread>;
export type Task = z.infer<typeof task>;
export type Build = z.infer<typeof build>;
export type Pipeline = z.infer<typeof pipeline>;
export type PipelineStep = z.infer<typeof pipelineStep>;
