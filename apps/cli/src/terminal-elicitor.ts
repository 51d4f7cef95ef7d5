import { textParams, typeParams } from '@errand/document';
import {
  type ElicitAnswer,
  type Elicitor,
  type ElicitQuestion,
  foreignName,
  isSecretName,
  type ToolParameter,
  toolParameters,
} from '@errand/host';
import type { QuestionQueue } from '@errand/workspace/questions';
import { askHidden, askLine, confirm } from './ask.ts';
import { browserOpener } from './browser-opener.ts';
import { markLines } from './mark-lines.ts';
import type { Drawing } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Asks on the terminal what a server wants to know; nothing where no person sits at one. */
export function terminalElicitor(
  terminal: Terminal,
  questions: QuestionQueue,
  drawing?: Pick<Drawing, 'hold'>,
): Elicitor | undefined {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return {
    elicit: (question, signal) =>
      questions.ask(async () => {
        using _held = drawing?.hold();
        return await ask(question, terminal, signal);
      }, signal),
  };
}

async function ask(
  question: ElicitQuestion,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ElicitAnswer> {
  const { stderr } = terminal;
  stderr.write(`\nServer "${question.server}" asks:\n${markLines(question.message, stderr)}`);
  if (question.kind === 'url') {
    const { host, href } = new URL(question.url);
    const opener = browserOpener(terminal);
    stderr.write(`It asks you to open:\n${markLines(href, stderr)}`);
    const wording = opener ? `Open ${host} in the browser?` : `Will you open ${host} yourself?`;
    if (!(await confirm(wording, terminal, signal))) return { action: 'decline' };
    opener?.open(href);
    return { action: 'accept' };
  }
  if (!(await confirm('Answer it?', terminal, signal))) return { action: 'decline' };
  const answers: Record<string, unknown> = {};
  const fields = toolParameters({ name: '', inputSchema: question.schema });
  for (const field of fields) {
    const value = await askField(field, question, terminal, signal);
    if (value === leaves) return { action: 'cancel' };
    if (value !== undefined) answers[field.name] = value;
  }
  return { action: 'accept', content: answers as NonNullable<Content> };
}

type Content = Extract<ElicitAnswer, { readonly action: 'accept' }>['content'];

/** Said by somebody who ends the input instead of answering. */
const leaves = Symbol('leaves');

/** The answer as the schema wants it; what does not fit is asked again. */
async function askField(
  field: ToolParameter,
  { schema, server }: Extract<ElicitQuestion, { readonly kind: 'form' }>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<unknown> {
  const { stderr } = terminal;
  const { name, type, isRequired, description, standard } = field;
  const about = [description, type, ...(isRequired ? ['required'] : [])].filter(Boolean).join(', ');
  const usual = standard === undefined ? '' : ` [${String(standard)}]`;
  stderr.write(markLines(`${foreignName(name)} (${about})${usual}`, stderr));
  const isSecret = asksForSecret(field, schema);
  if (isSecret) {
    stderr.write(
      `This looks like a secret, and server "${server}" would get it. Leave with Ctrl-D unless you mean to give it. What you type is not shown.\n`,
    );
  }
  const ask = isSecret ? askHidden : askLine;
  for (;;) {
    const text = await ask(`  ${isPlain.test(name) ? name : 'Your answer'}: `, terminal, signal);
    if (text === undefined) return leaves;
    if (text === '' && standard !== undefined) return standard;
    if (text === '' && !isRequired) return undefined;
    const { values, problems } = typeParams(textParams({ [name]: text }), schema);
    if (problems.length === 0 && text !== '') return values[name];
    stderr.write(markLines(problems[0]?.message ?? 'This field is required.', stderr));
  }
}

/** A name that cannot say anything beside ours. */
const isPlain = /^[\w.-]{1,40}$/;

/** Tells by what the server calls the field, not by what it claims about it. */
function asksForSecret(
  { name, description }: ToolParameter,
  { properties }: Readonly<Record<string, unknown>>,
): boolean {
  const fields = properties as Readonly<Record<string, unknown>> | undefined;
  const { title = '', format } = { ...(fields?.[name] as { title?: string; format?: string }) };
  return format === 'password' || [name, title, description].some((words) => isSecretName(words));
}
