export {
  describeDraftMistake,
  describeRedactions,
  describeUnread,
  mailRuleLabels,
  mailroomStateLabels,
  mailStateLabels,
} from './describe-mail.ts';
export { describeMailReasons } from './describe-mail-reasons.ts';
export { explainMailItem } from './explain-mail-item.ts';
export { describeApproval, explainMail, planApproval, planRejection } from './mail-actions.ts';
export { VaultMail } from './vault-mail.ts';
