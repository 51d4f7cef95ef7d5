import { join } from 'node:path';
import type { Platform } from '@errand/host';
import type { AgentEntry } from './edit-agent-file.ts';

export const agentPrograms = ['claude', 'copilot', 'cursor', 'codex'] as const;

/** A coding agent whose hooks can hand events to us. */
export type AgentProgram = (typeof agentPrograms)[number];

/** Seconds that an agent gives us before a prompt: the longest time of an action, and some to end. */
export const promptSeconds = 330;
const stopSeconds = 30;

interface AgentFacts {
  readonly title: string;
  /** Its file of hooks below the project, and below its own folder of the user. */
  readonly project: string;
  readonly user: string;
  /** The variable that names that folder, and the folder below the home without it. */
  readonly variable?: string;
  readonly home: string;
  /** Whether a file of its own begins with `"version": 1`. */
  readonly isVersioned: boolean;
  readonly events: { readonly prompt: string; readonly stop: string };
  readonly entry: (command: string, seconds: number) => AgentEntry['value'];
}

const grouped = (command: string, timeout: number) => ({
  hooks: [{ type: 'command', command, timeout }],
});

const facts: Readonly<Record<AgentProgram, AgentFacts>> = {
  claude: {
    title: 'Claude Code',
    project: '.claude/settings.json',
    user: 'settings.json',
    variable: 'CLAUDE_CONFIG_DIR',
    home: '.claude',
    isVersioned: false,
    events: { prompt: 'UserPromptSubmit', stop: 'Stop' },
    entry: grouped,
  },
  copilot: {
    title: 'GitHub Copilot',
    // Every file of that folder is read, so that ours touches no other.
    project: '.github/hooks/errand.json',
    user: 'hooks/errand.json',
    variable: 'COPILOT_HOME',
    home: '.copilot',
    isVersioned: true,
    // In this spelling both the command line and VS Code know them.
    events: { prompt: 'UserPromptSubmit', stop: 'Stop' },
    entry: (command, seconds) => ({
      type: 'command',
      command,
      // The command line reads the first, VS Code the second.
      timeoutSec: seconds,
      timeout: seconds,
    }),
  },
  cursor: {
    title: 'Cursor',
    project: '.cursor/hooks.json',
    user: 'hooks.json',
    home: '.cursor',
    isVersioned: true,
    events: { prompt: 'beforeSubmitPrompt', stop: 'stop' },
    entry: (command, timeout) => ({ command, timeout }),
  },
  codex: {
    title: 'Codex',
    project: '.codex/hooks.json',
    user: 'hooks.json',
    variable: 'CODEX_HOME',
    home: '.codex',
    isVersioned: false,
    events: { prompt: 'UserPromptSubmit', stop: 'Stop' },
    entry: grouped,
  },
};

/** Whether a word names an agent. */
export function isAgentProgram(word: string): word is AgentProgram {
  return Object.hasOwn(facts, word);
}

/** How people call an agent. */
export function agentTitle(program: AgentProgram): string {
  return facts[program].title;
}

export type BridgeScope = 'project' | 'user';

/** The file of an agent: the folder that no link may lead out of, and the path below it. */
export interface AgentFile {
  readonly root: string;
  readonly path: string;
}

/** Where the hooks of an agent are, for one vault or for all projects of the user. */
export function agentFile(
  program: AgentProgram,
  scope: BridgeScope,
  vault: string,
  { home, env }: Pick<Platform, 'home' | 'env'>,
): AgentFile {
  const { project, user, variable, home: folder } = facts[program];
  if (scope === 'project') return { root: vault, path: project };
  const named = variable === undefined ? undefined : env[variable];
  // Files of the home are often links to another place in it.
  return named ? { root: named, path: user } : { root: home, path: join(folder, user) };
}

/** The entries by which an agent hands its events to a command. */
export function agentEntries(program: AgentProgram, command: string): readonly AgentEntry[] {
  const { events, entry } = facts[program];
  return [
    { event: events.prompt, value: entry(command, promptSeconds) },
    { event: events.stop, value: entry(command, stopSeconds) },
  ];
}

/** Whether new files of an agent begin with a version. */
export function hasVersion(program: AgentProgram): boolean {
  return facts[program].isVersioned;
}

/** The arguments of errand in the entries of an agent. */
export function bridgeArguments(program: AgentProgram): string {
  return `hooks bridge event ${program}`;
}

/** Whether a command in the file of an agent is one that was put there for us. */
export function isBridgeCommand(program: AgentProgram, command: string): boolean {
  return new RegExp(`(?:^|\\s)${bridgeArguments(program)}(?:\\s|$)`).test(command);
}
