import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProgramRunner } from '@errand/host';
import { chainVariable } from '../hook-chain.ts';
import type { ActionContext } from '../hook-run.ts';
import { ActionError, failed } from './action-error.ts';

export interface GitPorts {
  readonly programs: ProgramRunner;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The vault; every command runs there. */
  readonly folder: string;
}

/** Runs `git` in the vault. */
export interface Git {
  /** What it writes; throws when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** What it writes; undefined when it exits with something else than 0. */
  query(...args: readonly string[]): Promise<string | undefined>;
}

/** A `git` that asks nobody, opens no editor, and reads paths as they are. */
export function openGit(
  { programs, env, folder }: GitPorts,
  context: Pick<ActionContext, 'chain'>,
  signal: AbortSignal,
): Git {
  const start = async (args: readonly string[]) => {
    const end = await programs.run(
      {
        command: 'git',
        args: [...fixedArguments, ...args],
        cwd: folder,
        env: { ...ownVariables(env), ...fixedVariables, ...chainVariable(context) },
        outputLimit: 1024 * 1024,
      },
      signal,
    );
    if (end.kind === 'not-started') throw failed('program_not_started', end.message);
    if (end.kind === 'aborted') throw failed('cancelled', 'git was ended.');
    return end;
  };
  const query: Git['query'] = async (...args) => {
    const { exitCode, output } = await start(args);
    return exitCode === 0 ? output.trimEnd() : undefined;
  };
  const isLocked = async () => {
    const lock = await query('rev-parse', '--git-path', 'index.lock');
    if (lock === undefined) return false;
    return access(resolve(folder, lock)).then(
      () => true,
      () => false,
    );
  };
  return {
    query,
    run: async (...args) => {
      const { exitCode, output, errorOutput } = await start(args);
      if (exitCode === 0) return output.trimEnd();
      const said = lastLines(errorOutput.trim() || output);
      // Another git is at work, which refused this one before it did anything.
      const isTransient = await isLocked();
      throw new GitFailure(exitCode, `git ${args[0]} failed: ${said}`, isTransient);
    },
  };
}

/** A command of git that ended with an exit code of its own. */
export class GitFailure extends ActionError {
  readonly exitCode: number | undefined;

  constructor(exitCode: number | undefined, message: string, isTransient: boolean) {
    super('git_failed', message, { status: 'failure', ...(isTransient && { isTransient }) });
    this.exitCode = exitCode;
  }
}

const fixedArguments = [
  // Nothing is left running in the background.
  ...['-c', 'gc.autoDetach=false', '-c', 'maintenance.autoDetach=false'],
  // A folder of the vault that looks like a repository is none.
  ...['-c', 'safe.bareRepository=explicit'],
];

const fixedVariables = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: ':',
  // File names may contain what git takes for a pattern.
  GIT_LITERAL_PATHSPECS: '1',
};

/** How a person's git reaches remotes and signs. Not where a repository is: git sets that for its own hooks. */
const passedOn = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GNUPGHOME', 'DBUS_SESSION_BUS_ADDRESS', 'EMAIL'],
  ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_SSL_CAPATH', 'GIT_SSL_CERT'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
  ...['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'],
];

function ownVariables(env: GitPorts['env']): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** Without the passwords that addresses may contain. */
function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(-8)
    .join('\n')
    .replace(/:\/\/[^/\s@]*@/g, '://')
    .slice(-2_000);
}
