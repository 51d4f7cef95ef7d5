import type { JobInfo, StepInfo } from './job-engine.ts';
import type { StoredStep } from './job-store.ts';

/** A row of a table of jobs or steps, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

export function jobOf(row: Row): JobInfo {
  return {
    id: String(row.id),
    flow: String(row.flow),
    ...(row.key !== null && { key: String(row.key) }),
    state: row.state as JobInfo['state'],
    input: JSON.parse(String(row.input)),
    ...(row.result !== null && { result: JSON.parse(String(row.result)) }),
    ...(row.error !== null && { error: JSON.parse(String(row.error)) }),
    createdAt: Number(row.created_at),
    ...(row.started_at !== null && { startedAt: Number(row.started_at) }),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
  };
}

export function stepOf(row: Row): StoredStep {
  return {
    name: String(row.name),
    state: row.state as StepInfo['state'],
    attempts: Number(row.attempts),
    startedAt: Number(row.started_at),
    ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    ...(row.due_at !== null && { dueAt: Number(row.due_at) }),
    ...(row.error !== null && { error: JSON.parse(String(row.error)) }),
    ...(row.value !== null && { value: JSON.parse(String(row.value)) }),
  };
}
