import { appendLine, type ContainedRoot } from '@errand/files';

/** What is written down before a mail is sent. */
export interface AuditEntry {
  readonly timestamp: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly reply_to_message_id: string | null;
  /** What the mail has besides: copies, the key. */
  readonly more: Readonly<Record<string, string | undefined>>;
}

const previewLength = 200;

/** Appends a line to the day's audit log and brings it to the disk; fails when it is not there. */
export async function writeAudit(
  root: ContainedRoot,
  folders: readonly string[],
  { timestamp, to, subject, body, reply_to_message_id, more }: AuditEntry,
): Promise<void> {
  const line = {
    event: 'pre_send_audit',
    timestamp,
    to,
    subject,
    body_preview: [...body.slice(0, previewLength * 2)].slice(0, previewLength).join(''),
    reply_to_message_id,
    severity: 'INFO',
    ...more,
  };
  await appendLine(
    root,
    folders,
    `gmail_mcp_${timestamp.slice(0, 10)}.jsonl`,
    JSON.stringify(line),
  );
}
