import { textParams, typeParams } from '@errand/document';
import {
  type ElicitAnswer,
  type Elicitor,
  type ElicitQuestion,
  foreignLines,
  foreignName,
  isSecretName,
  type ToolParameter,
  toolParameters,
} from '@errand/host';
import type { QuestionQueue } from '@errand/workspace/questions';
import { env, Uri } from 'vscode';
import { askLineUntil, pickUntil } from './ask-until.ts';

/** Asks in the editor what a server wants to know; the question goes when the call that asks has ended. */
export function editorElicitor(questions: QuestionQueue): Elicitor {
  return { elicit: (question, signal) => questions.ask(() => ask(question, signal), signal) };
}

async function ask(question: ElicitQuestion, signal: AbortSignal): Promise<ElicitAnswer> {
  const title = `Server "${question.server}" asks`;
  const placeholder = foreignLines(question.message).join(' ');
  if (question.kind === 'url') {
    const { host, href } = new URL(question.url);
    const items = [{ label: `Open ${host}`, detail: href }, { label: 'Decline' }];
    const chosen = await pickUntil({ title, placeholder, items }, signal);
    if (chosen === undefined) return { action: 'cancel' };
    if (chosen !== items[0]) return { action: 'decline' };
    await env.openExternal(Uri.parse(href, true));
    return { action: 'accept' };
  }
  const items = [{ label: 'Answer' }, { label: 'Decline' }];
  const chosen = await pickUntil({ title, placeholder, items }, signal);
  if (chosen === undefined) return { action: 'cancel' };
  if (chosen !== items[0]) return { action: 'decline' };
  const content: Record<string, unknown> = {};
  for (const field of toolParameters({ name: '', inputSchema: question.schema })) {
    const answer = await askField(field, question, title, signal);
    if (answer === undefined) return { action: 'cancel' };
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return { action: 'accept', content: content as NonNullable<Content> };
}

type Content = Extract<ElicitAnswer, { readonly action: 'accept' }>['content'];

async function askField(
  field: ToolParameter,
  { schema }: Extract<ElicitQuestion, { readonly kind: 'form' }>,
  title: string,
  signal: AbortSignal,
): Promise<{ readonly value: unknown } | undefined> {
  const { name, type, isRequired, description, standard } = field;
  const about = [description, type, ...(isRequired ? ['required'] : [])].filter(Boolean).join(', ');
  const typed = (text: string) => typeParams(textParams({ [name]: text }), schema);
  const isSecret = [name, description].some((words) => isSecretName(words));
  const warning = isSecret ? ' This looks like a secret, and the server would get it.' : '';
  const text = await askLineUntil(
    {
      title: `${title}: ${foreignName(name)}`,
      prompt: foreignLines(about).join(' ') + warning,
      value: standard === undefined ? '' : String(standard),
      isHidden: isSecret,
      refuse(answer) {
        if (answer === '') return isRequired ? 'This field is required.' : undefined;
        return typed(answer).problems[0]?.message;
      },
    },
    signal,
  );
  if (text === undefined) return undefined;
  return { value: text === '' ? undefined : typed(text).values[name] };
}
