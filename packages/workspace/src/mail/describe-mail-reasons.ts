import type { MailDecision, MailReasons } from '@errand/mailroom';
import { describeRedactions, mailRuleLabels } from './describe-mail.ts';

const decisions: Readonly<Record<MailDecision, string>> = {
  draft_reply: 'A reply was drafted',
  archive: 'It was archived',
  needs_info: 'A person was asked',
  urgent: 'It is urgent, and a reply was drafted',
  delegate: 'It is for somebody else',
};

/** Why a mail was treated as it was, one sentence for each fact. */
export function describeMailReasons(reasons: MailReasons): readonly string[] {
  const { decision, confidence, reasoning, rule, iterations = 1, isCut } = reasons;
  const sure = confidence === undefined ? '' : ` (${Math.round(confidence * 100)} % sure)`;
  const removed = describeRedactions(reasons.redactions);
  return [
    decision === undefined ? 'Nothing has been decided yet.' : `${decisions[decision]}${sure}.`,
    ...reasons.rules.map((name) => mailRuleLabels[name]),
    ...(rule === undefined ? [] : [`The rule: ${rule}.`]),
    ...(reasoning ? [`The reason given: ${reasoning}`] : []),
    ...decider(reasons),
    ...(iterations > 1 ? [`The model was asked ${iterations} times.`] : []),
    ...(isCut ? ['The model saw only the beginning and the end of the text.'] : []),
    ...(removed === '' ? [] : [`Taken out before it was stored: ${removed}.`]),
  ];
}

function decider({ decidedBy, tokens, latencyMs }: MailReasons): readonly string[] {
  if (decidedBy === undefined || decidedBy === 'rule') return [];
  if (decidedBy === 'person') return ['A person decided.'];
  const used = tokens && `${tokens.input} tokens read, ${tokens.output} written`;
  const took = latencyMs !== undefined && `${(latencyMs / 1_000).toFixed(1)} s`;
  const facts = [used, took].filter(Boolean).join(', ');
  return [`Asked: ${decidedBy}${facts === '' ? '' : ` (${facts})`}.`];
}
