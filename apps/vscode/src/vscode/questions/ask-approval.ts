import { foreignLines, foreignName } from '@errand/host';
import type { AskPerson, CallVerdict } from '@errand/workspace/conversations';
import { approvalReasons } from '@errand/workspace/text';
import { pickUntil } from './ask-until.ts';

/** The assistant that requests a call, and its note. */
export interface ApprovalContext {
  readonly assistant: string;
  readonly note: string;
}

/** Asks for approval of a tool call; leaving the list denies it. */
export const askApproval: AskPerson<ApprovalContext> = async (question, signal) => {
  const { assistant, note, server, tool, parameters, isDestructive, because } = question;
  const given = Object.entries(parameters).map(
    ([name, value]) => `${foreignName(name)}: ${textOf(value)}`,
  );
  const reasons = [
    ...(isDestructive ? ['It may change or delete something.'] : []),
    ...(because === 'writes' ? [] : [approvalReasons[because]]),
  ].join(' ');
  const chosen = await pickUntil(
    {
      title: `Let ${assistant} call ${server} ${foreignName(tool)}?`,
      placeholder: `${assistant} asks for it in ${note}. ${reasons}`.trim(),
      items: choices.map(([label, verdict]) => ({
        label,
        verdict,
        ...(verdict === 'once' && { detail: given.join(', ') || 'Without parameters.' }),
      })),
    },
    signal,
  );
  return chosen?.verdict ?? 'deny';
};

const choices: readonly (readonly [label: string, verdict: CallVerdict])[] = [
  ['Allow once', 'once'],
  ['Allow for this conversation', 'conversation'],
  ['Deny', 'deny'],
];

function textOf(value: unknown): string {
  return foreignLines(typeof value === 'string' ? value : JSON.stringify(value)).join(' ');
}
