import type { ProgramRunner, ReferenceSources } from '@errand/host';
import type { ActionRunners } from '../hook-run.ts';
import { type AskAssistant, agentRunner } from './agent-action.ts';
import { customRunner } from './custom-action.ts';
import { gitRunner } from './git-action.ts';
import { githubRunner } from './github-action.ts';
import { type McpPorts, mcpRunner } from './mcp-action.ts';

/** What a program supplies so that hooks can act. `env`, `secrets` and the rest are where references come from. */
export interface RunnerPorts extends ReferenceSources {
  readonly host: McpPorts;
  /** The vault. */
  readonly folder: string;
  readonly programs: ProgramRunner;
  /** Absent in a program without assistants. */
  readonly ask?: AskAssistant;
  /** How requests to GitHub are made; by the global `fetch` if not given. */
  readonly fetch?: typeof fetch;
}

/** The runner of every type of action. */
export function actionRunners(ports: RunnerPorts): ActionRunners {
  const { host, folder, programs, ask, fetch, env, secrets, onFound, mayRead } = ports;
  const references = { env, secrets, ...(onFound && { onFound }), ...(mayRead && { mayRead }) };
  return {
    mcp: mcpRunner(host),
    agent: agentRunner(ask),
    git: gitRunner({ programs, env, folder }),
    github: githubRunner({ references, ...(fetch && { fetch }) }),
    custom: customRunner({ programs, references, folder }),
  };
}
