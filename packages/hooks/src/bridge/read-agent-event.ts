import { isRecord } from '@errand/wire';
import type { AgentOperation } from '../hook-schema.ts';
import type { AgentProgram } from './agent-programs.ts';

/** What an agent told: somebody gave it a prompt that begins an operation, or it has ended its turn. */
export type AgentEvent = {
  readonly program: AgentProgram;
  /** Names the conversation, so that the end is known to be that of what began. */
  readonly session: string;
  /** Where the agent works. */
  readonly cwd?: string;
} & (
  | {
      readonly phase: 'begin';
      readonly agent: 'speckit' | 'openspec';
      readonly operation: AgentOperation;
    }
  | {
      readonly phase: 'end';
      /** What the agent said last. */
      readonly output?: string;
      /** Whether it was interrupted, or failed: then no operation has ended. */
      readonly isAborted: boolean;
    }
);

/** Reads what an agent handed to its hook; undefined for what concerns no operation. */
export function readAgentEvent(program: AgentProgram, payload: unknown): AgentEvent | undefined {
  if (!isRecord(payload)) return undefined;
  const word = (...names: readonly string[]) => {
    const found = names.find((name) => typeof payload[name] === 'string' && payload[name] !== '');
    return found === undefined ? undefined : String(payload[found]);
  };
  const [folder] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  const cwd = word('cwd') ?? (typeof folder === 'string' ? folder : undefined);
  const session = word('session_id', 'sessionId', 'conversation_id', 'thread-id') ?? '';
  const common = { program, session: session.slice(0, 200), ...(cwd !== undefined && { cwd }) };
  const name = word('hook_event_name', 'hookEventName') ?? '';
  if (promptEvents.has(name) || (name === '' && word('prompt') !== undefined)) {
    const found = operationIn(word('prompt') ?? '');
    return found && { ...common, phase: 'begin', ...found };
  }
  const isEnd =
    name === '' && ['stop_reason', 'stopReason', 'status'].some((key) => key in payload);
  if (!stopEvents.has(name) && !isEnd) return undefined;
  const output = word('last_assistant_message', 'last-assistant-message')?.slice(0, longestOutput);
  const isAborted = payload.status === 'aborted' || payload.status === 'error';
  return { ...common, phase: 'end', isAborted, ...(output !== undefined && { output }) };
}

const promptEvents: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'userPromptSubmitted',
  'beforeSubmitPrompt',
]);
const stopEvents: ReadonlySet<string> = new Set(['Stop', 'agentStop', 'stop']);
const longestOutput = 100_000;

/** The operation that a prompt asks for: it begins with a command of SpecKit or OpenSpec. */
export function operationIn(
  prompt: string,
): { readonly agent: 'speckit' | 'openspec'; readonly operation: AgentOperation } | undefined {
  const [, tool = '', name = ''] = commandPattern.exec(prompt.slice(0, 1_000)) ?? [];
  const agent = tool.toLowerCase() === 'speckit' ? 'speckit' : 'openspec';
  const commands = agent === 'speckit' ? specKitCommands : openSpecCommands;
  const wanted = name.toLowerCase();
  const operation = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
  return tool === '' || operation === undefined ? undefined : { agent, operation };
}

/**
 * `/speckit.plan`, `/speckit-plan`, `$speckit-plan`, `/prompts:speckit.plan`, `/openspec:proposal`, `/opsx:apply`; Claude
 * Code may put the name into tags, and VS Code turns a command that is a file into a link to it.
 */
const commandPattern =
  /^\s*(?:<command-(?:name|message)>\s*)?(?:[/$@](?:[a-z]+:)?|Follow instructions in \[)?(speckit|openspec|opsx)[.:_-]([a-z-]+)\b/i;

const specKitCommands: Readonly<Record<string, AgentOperation>> = {
  research: 'research',
  datamodel: 'datamodel',
  design: 'design',
  specify: 'specify',
  clarify: 'clarify',
  plan: 'plan',
  tasks: 'tasks',
  taskstoissues: 'taskstoissues',
  analyze: 'analyze',
  checklist: 'checklist',
  constitution: 'constitution',
  implement: 'implementation',
  implementation: 'implementation',
  'unit-test': 'unit-test',
  'integration-test': 'integration-test',
};

/** What OpenSpec calls a proposal is what `proposal.md` counts as. */
const openSpecCommands: Readonly<Record<string, AgentOperation>> = {
  proposal: 'specify',
  propose: 'specify',
  new: 'specify',
  ff: 'specify',
  explore: 'research',
  design: 'design',
  tasks: 'tasks',
  verify: 'analyze',
  apply: 'implementation',
};

/** What an agent has to be told: its standard output and error output. */
export interface AgentAnswer {
  readonly stdout: string;
  readonly stderr: string;
}

/** Lets an agent go on, or denies it what it was asked, in the form that it understands. */
export function agentAnswer(
  { program, phase }: Pick<AgentEvent, 'program' | 'phase'>,
  payload: unknown,
  denial: string | undefined,
): AgentAnswer {
  // Any other output would become part of the conversation.
  const allowed = program === 'cursor' && phase === 'begin' ? { continue: true } : undefined;
  if (denial === undefined)
    return { stdout: allowed ? `${JSON.stringify(allowed)}\n` : '', stderr: '' };
  // VS Code also runs the hooks of Claude Code, and gives them its own fields.
  const isVsCode = program === 'copilot' || (isRecord(payload) && 'hookEventName' in payload);
  const answer = isVsCode
    ? { continue: false, stopReason: denial, systemMessage: denial }
    : program === 'cursor'
      ? { continue: false, user_message: denial }
      : { decision: 'block', reason: denial };
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: `${denial}\n` };
}
