import { Command } from 'commander';
import { type CommandContext, type CommonOptions, withCommonOptions } from '../command-context.ts';
import { diagnose } from '../doctor/diagnose.ts';
import type { Finding } from '../doctor/finding.ts';
import { exitCode } from '../exit-code.ts';
import { vaultFolder } from '../open-vault.ts';
import { paintColumn, type Tone } from '../paint.ts';
import { table } from '../table.ts';
import { version } from '../version.ts';

/** `errand doctor`: what is wrong on this machine and in this vault, and what to do about it. */
export function doctorCommand(context: CommandContext): Command {
  return withCommonOptions(
    new Command('doctor').description(
      'Look for what keeps Errand from working on this machine, and say what to do.',
    ),
  )
    .addHelpText(
      'after',
      `
Starts no server and changes nothing. What it prints holds no secret, so it can go into a bug report.
Ends with 1 when there is a problem; a warning is about something that only some people need.

Examples:
  errand doctor
  errand doctor --json --vault ~/notes`,
    )
    .action(async (options: CommonOptions) => {
      const { stdout, cwd } = context.terminal;
      const folder = await vaultFolder(options, cwd, cwd);
      const { examineMachine } = await import('../doctor/examine-machine.ts');
      const findings = diagnose(await examineMachine(folder, context));
      const hasProblem = findings.some(({ status }) => status === 'problem');
      const { platform, arch } = process;
      const json = { version, platform: `${platform}-${arch}`, ok: !hasProblem, findings };
      if (options.json) stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
      else stdout.write(asText(findings, context));
      context.end(hasProblem ? exitCode.failed : exitCode.ok);
    });
}

const marks: Readonly<Record<Finding['status'], { readonly word: string; readonly tone: Tone }>> = {
  ok: { word: 'ok', tone: 'good' },
  warning: { word: 'warning', tone: 'warn' },
  problem: { word: 'PROBLEM', tone: 'bad' },
};

function asText(findings: readonly Finding[], { terminal }: CommandContext): string {
  const { paint } = terminal.stdout;
  const tones = findings.map(({ status }) => marks[status].tone);
  const rows = findings.map(({ check, status, message }) => [marks[status].word, check, message]);
  const found = findings.filter(({ remedy }) => remedy !== undefined);
  const remedies = found.map(({ check, remedy = '' }) => [check, remedy]);
  return [
    table(rows, paintColumn(paint, 0, tones)),
    remedies.length === 0 ? '\nEverything is as it should be.\n' : '\nWhat to do\n',
    table(remedies).replace(/^(?=.)/gm, '  '),
  ].join('');
}
