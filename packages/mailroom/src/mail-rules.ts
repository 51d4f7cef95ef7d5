import type { MailSettings } from '@errand/host';
import type { Decision } from './decision-schema.ts';
import { addressIn } from './draft-note.ts';
import type { MailDecision, MailRuleName } from './mail-board.ts';
import type { GatedMail } from './mail-note.ts';
import { isMailAboutMoney } from './money-words.ts';

type MailRule = MailSettings['rules'][number];

/** What was decided about a mail, by whom, and which rules had a say. */
export interface DecidedMail {
  readonly decision: MailDecision;
  readonly confidence: number;
  readonly reasoning: string;
  readonly replyBody?: string;
  readonly delegationTarget?: string;
  readonly infoNeeded?: string;
  /** `provider:model`, or `rule`. */
  readonly by: string;
  readonly rules: readonly MailRuleName[];
  /** The name of the rule of the settings that fits. */
  readonly rule?: string;
  readonly label?: string;
  readonly doneFolder?: string;
  readonly hook?: string;
  readonly iterations: number;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly latencyMs?: number;
  readonly isCut?: boolean;
  /** The draft that could not be delivered. */
  readonly bounceOf?: string;
}

/** What rules know besides the mail. */
export interface RuleContext {
  readonly settings: Pick<MailSettings, 'rules'>;
  /** The address of the mailbox. */
  readonly own?: string | undefined;
  /** Mails of this sender in the last hour, with this one. */
  readonly recent: number;
  /** The draft that a mail about a failed delivery belongs to. */
  readonly bounceOf?: string | undefined;
}

/** More mails of one sender in an hour are a loop. */
const mostPerHour = 20;

/** The rule of the settings that fits a mail. */
function findRule(
  mail: Pick<GatedMail, 'from' | 'subject'>,
  rules: readonly MailRule[],
): MailRule | undefined {
  const has = (text: string, part: string | undefined) =>
    part === undefined || text.toLowerCase().includes(part.toLowerCase());
  return rules.find(
    ({ from, subject }) => isFrom(mail.from, from, has) && has(mail.subject, subject),
  );
}

/** An address or a domain is compared with the end of the address alone: the name before it is whatever the sender likes. */
function isFrom(
  from: string,
  part: string | undefined,
  has: (text: string, part: string | undefined) => boolean,
): boolean {
  if (!part?.includes('@')) return has(from, part);
  const address = addressIn(from) ?? '';
  return part.endsWith('@') ? has(address, part) : address.endsWith(part.trim().toLowerCase());
}

/** Decides without a model where a rule does; nothing when the model has to be asked. */
export function decideByRules(mail: GatedMail, context: RuleContext): DecidedMail | undefined {
  const by = { by: 'rule', confidence: 1, iterations: 0 } as const;
  const ask = (rule: MailRuleName, reasoning: string): DecidedMail => ({
    ...by,
    ...settingsPart(mail, context),
    decision: 'needs_info',
    reasoning,
    infoNeeded: reasoning,
    rules: [rule],
  });
  if (isBounce(mail)) {
    const told = ask('bounce', 'It says that a mail could not be delivered.');
    return { ...told, ...(context.bounceOf !== undefined && { bounceOf: context.bounceOf }) };
  }
  const rule = findRule(mail, context.settings.rules);
  if (rule?.decision !== undefined) {
    const { name = `rule for ${rule.from ?? rule.subject}` } = rule;
    const decided: DecidedMail = {
      ...by,
      ...settingsPart(mail, context),
      decision: rule.decision,
      reasoning: `The settings decide: ${name}.`,
      ...(rule.decision === 'needs_info' && { infoNeeded: 'The settings ask a person.' }),
      rules: ['settings'],
    };
    return overrule(decided, mail, 0);
  }
  const sender = addressIn(mail.from);
  if (sender === undefined) return ask('no-sender', 'It has no address that can be answered.');
  if (sender === context.own?.toLowerCase())
    return ask('loop', 'It comes from this mailbox itself.');
  if (context.recent > mostPerHour) {
    return ask('loop', `More than ${mostPerHour} mails came from this sender within an hour.`);
  }
  return undefined;
}

/** What a rule of the settings says besides a decision. */
export function settingsPart(
  mail: GatedMail,
  { settings }: RuleContext,
): Pick<DecidedMail, 'rule' | 'label' | 'doneFolder' | 'hook'> {
  const rule = findRule(mail, settings.rules);
  if (rule === undefined) return {};
  const { name = `rule for ${rule.from ?? rule.subject}`, label, folder, hook } = rule;
  return {
    rule: name,
    ...(label !== undefined && { label }),
    ...(folder !== undefined && { doneFolder: folder }),
    ...(hook !== undefined && { hook }),
  };
}

/** What a model said, as a decision that the rules in code have seen. */
export function judge(
  said: Decision,
  mail: GatedMail,
  asked: Pick<DecidedMail, 'by' | 'iterations' | 'tokens' | 'latencyMs' | 'isCut'>,
  minConfidence: number,
): DecidedMail {
  const { decision, confidence, reasoning, reply_body, delegation_target, info_needed } = said;
  const decided: DecidedMail = {
    decision,
    confidence,
    reasoning,
    ...(reply_body && { replyBody: reply_body }),
    ...(delegation_target && { delegationTarget: delegation_target }),
    ...(info_needed && { infoNeeded: info_needed }),
    rules: [],
    ...asked,
  };
  return overrule(decided, mail, minConfidence);
}

/** The rules above every decision: money is never archived, doubt asks a person, robots are not answered. */
function overrule(decided: DecidedMail, mail: GatedMail, minConfidence: number): DecidedMail {
  const toPerson = (rule: MailRuleName, infoNeeded: string): DecidedMail => ({
    ...decided,
    decision: 'needs_info',
    infoNeeded,
    rules: [...decided.rules, rule],
  });
  const { decision, confidence } = decided;
  if (decision === 'archive' && (mail.isAboutMoney ?? isMailAboutMoney(mail))) {
    return toPerson('money', 'It may be about money, so it is not archived.');
  }
  if (decision !== 'needs_info' && confidence < minConfidence) {
    return toPerson('confidence', 'The model is not sure enough.');
  }
  const isReply = decision === 'draft_reply' || decided.replyBody !== undefined;
  if (isReply && (mail.isAutomatic || isRobot(mail.from))) {
    const { replyBody: _, ...rest } = toPerson('loop', 'A robot wrote it, so no reply is drafted.');
    return rest;
  }
  return decided;
}

function isRobot(from: string): boolean {
  const name = addressIn(from)?.split('@')[0] ?? '';
  return /^(?:no-?reply|do-?not-?reply|bounces?|mailer-daemon|postmaster|notifications?|auto-?(?:reply|responder))(?:[+._-]|$)/.test(
    name,
  );
}

/** Whether a mail is the report of a mail that could not be delivered. */
export function isBounce({
  from,
  subject,
  failedRecipient,
  hasNoReturnPath = false,
}: Pick<GatedMail, 'from' | 'subject' | 'failedRecipient' | 'hasNoReturnPath'>): boolean {
  const name = addressIn(from)?.split('@')[0] ?? '';
  // Anybody can write the header of a report into a mail.
  if (!hasNoReturnPath && name !== 'mailer-daemon' && name !== 'postmaster') return false;
  return (
    failedRecipient !== undefined ||
    /undeliver|delivery (?:status|has failed|failure)|returned (?:mail|to sender)|failure notice|unzustellbar|non remis|no entregad|mancata consegna/i.test(
      subject,
    )
  );
}
