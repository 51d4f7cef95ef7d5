import { HostError } from '@errand/host';
import { isRecord, type JsonObject } from '@errand/wire';
import type { ToolPage } from './read-tools.ts';

/** Sends a request to the server of a connection. */
type Send = (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** How long a server is waited for that is told to give up a task, in milliseconds. */
const cancelMs = 5_000;

/**
 * The tools that a server of revision 2025-11-25 runs only as tasks: the call answers with a task, whose result is
 * fetched afterwards. Whoever calls them waits for the result as for that of any other tool.
 */
export class TaskTools {
  readonly #names = new Set<string>();

  /** Remembers which tools of a page are such. */
  learn({ tools }: ToolPage): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isRecord(tool) || typeof tool.name !== 'string') continue;
      const isTask = isRecord(tool.execution) && tool.execution.taskSupport === 'required';
      if (isTask) this.#names.add(tool.name);
      else this.#names.delete(tool.name);
    }
  }

  /** What a call of this tool has to say besides its arguments. */
  paramsFor(tool: string): JsonObject {
    return this.#names.has(tool) ? { task: {} } : {};
  }
}

/** The result of a call: the answer itself, or what comes of the task that it names. */
export async function resultOf(
  answer: JsonObject,
  call: { readonly server: string; readonly tool: string; readonly signal: AbortSignal },
  send: Send,
): Promise<JsonObject> {
  if (!isRecord(answer.task) || answer.content !== undefined) return answer;
  const { taskId } = answer.task;
  const { server, tool, signal } = call;
  if (typeof taskId !== 'string') {
    const message = `Server "${server}" answered "${tool}" with a task that has no id. This is a bug in the server; report it to its authors.`;
    throw new HostError('tool_failed', message, { server, tool });
  }
  try {
    return await send('tasks/result', { taskId }, signal);
  } catch (error) {
    if (signal.aborted) {
      send('tasks/cancel', { taskId }, AbortSignal.timeout(cancelMs)).catch(() => undefined);
    }
    throw error;
  }
}
