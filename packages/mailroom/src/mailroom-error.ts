/** Why the mailroom refuses or fails. */
export type MailroomErrorCode =
  /** The settings name no mail server. */
  | 'off'
  /** No note has this id or path. */
  | 'not_found'
  /** Several ids begin so. */
  | 'ambiguous'
  /** The draft is another than the one that was shown. */
  | 'changed'
  /** The draft waited too long: a person has to say once more that it may leave. */
  | 'expired'
  /** It is not in a state in which this can be done. */
  | 'wrong_state'
  /** The draft cannot be sent as it is. */
  | 'incomplete'
  /** The frontmatter of the note cannot be read. */
  | 'unreadable'
  /** Another machine, or workers, fetch and send. */
  | 'elsewhere'
  /** Nobody has said yet which mails to take. */
  | 'first_start'
  /** There is no such method, or its parameters are wrong. */
  | 'invalid'
  /** A tool of the mail server or of the vault failed. */
  | 'tool_failed';

/** Why nothing can be fetched, as a refusal. */
export function stopped(why: 'off' | 'first-start' | 'elsewhere' | 'shared'): MailroomError {
  switch (why) {
    case 'off':
      return new MailroomError('off', 'The settings name no mail server.');
    case 'first-start':
      return new MailroomError('first_start', 'Nobody has said yet which mails to take.');
    case 'elsewhere':
      return new MailroomError('elsewhere', 'Another machine works for this vault.');
    case 'shared':
      return new MailroomError('elsewhere', 'Workers fetch and send the mail of this mailbox.');
  }
}

/** A refusal or failure of the mailroom. */
export class MailroomError extends Error {
  readonly code: MailroomErrorCode;

  constructor(code: MailroomErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailroomError';
    this.code = code;
  }
}
