import type { ApprovalQuestion, Approver } from '@errand/assistant';
import { foreignName } from '@errand/host';
import { Approvals } from '@errand/workspace/conversations';
import type { QuestionQueue } from '@errand/workspace/questions';
import { approvalReasons } from '@errand/workspace/text';
import { confirm } from './ask.ts';
import { markLines } from './mark-lines.ts';
import type { Drawing } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Asks for approval at the terminal; undefined when standard input is not one. */
export function terminalApprover(
  terminal: Terminal,
  questions: QuestionQueue,
  drawing: Pick<Drawing, 'hold'>,
): Approver | undefined {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const approvals = new Approvals<object>(questions, async (question, signal) => {
    using _held = drawing.hold();
    stderr.write(describe(question, terminal));
    return (await confirm('Allow it?', terminal, signal)) ? 'once' : 'deny';
  });
  return approvals.approverFor({});
}

/** Marks every line that comes from the server or the model, so that none passes for ours. */
function describe(
  { server, tool, description, parameters, isDestructive, because }: ApprovalQuestion,
  { stderr }: Terminal,
): string {
  const [about = ''] = description.trim().split('\n');
  const said = about === '' ? '' : `${server} says of it:\n${markLines(about, stderr)}`;
  const sent = Object.entries(parameters).map(([name, value]) =>
    markLines(`${foreignName(name)}: ${written(value)}`, stderr),
  );
  const sends = sent.length === 0 ? '' : `It would send:\n${sent.join('')}`;
  const warning = isDestructive ? 'It may change or delete something.\n' : '';
  const reason = because === 'writes' ? '' : `${approvalReasons[because]}\n`;
  return `\nThe model wants to call ${server} ${called(tool, stderr)}${said}${sends}${warning}${reason}`;
}

/** A name that is none stands behind a mark of its own. */
function called(tool: string, stderr: Terminal['stderr']): string {
  const name = foreignName(tool);
  return name === tool ? `${tool}.\n` : `with a tool of the name:\n${markLines(name, stderr)}`;
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
