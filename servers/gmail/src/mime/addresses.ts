import { domainToASCII } from 'node:url';
import { McpError } from '@errand/server-kit';

/** One recipient. */
export interface Mailbox {
  readonly name: string;
  /** With its domain in ASCII and in lower case. */
  readonly address: string;
}

/** The most recipients of one mail. */
const most = 100;

/**
 * Reads a list such as `Ada Lovelace <ada@example.org>, bob@example.org`. Everything that is not plainly one
 * address after the other is refused: a lenient reader turns a line break into a recipient that nobody approved.
 */
export function parseAddresses(field: string, text: string): readonly Mailbox[] {
  refuseControls(field, text);
  const mailboxes = splitList(field, text).map((entry) => parseMailbox(field, entry));
  if (mailboxes.length > most) {
    throw invalid(field, `has ${mailboxes.length} recipients; ${most} are allowed`);
  }
  return mailboxes;
}

/** Refuses text that could begin a new header line. */
export function refuseControls(field: string, text: string): void {
  const at = [...text].findIndex(isControl);
  if (at < 0) return;
  throw invalid(field, 'contains a line break or another control character');
}

function isControl(letter: string): boolean {
  return (letter < ' ' && letter !== '\t') || /[\u007f-\u009f\u2028\u2029]/.test(letter);
}

/** Splits at commas that stand outside of quotes. */
function splitList(field: string, text: string): readonly string[] {
  const pieces = text.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
  const quotes = /"/g;
  const isWhole = pieces.join('').match(quotes)?.length === text.match(quotes)?.length;
  if (!isWhole) throw invalid(field, 'has a quotation mark that is not closed');
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function parseMailbox(field: string, entry: string): Mailbox {
  const [, quoted, plain = '', angled] =
    /^(?:"((?:[^"\\]|\\.)*)"|([^"<>@;:\\,()[\]]*?))\s*<([^<>\s]+)>$/.exec(entry) ?? [];
  const given = angled ?? entry;
  const at = given.lastIndexOf('@');
  const local = given.slice(0, at);
  const domain = domainToASCII(given.slice(at + 1));
  const isAddress =
    at > 0 &&
    localPart.test(local) &&
    local.length <= 64 &&
    domainName.test(domain) &&
    domain.length < 254;
  if (!isAddress)
    throw invalid(field, `"${entry.slice(0, 200)}" is no address such as ada@example.org`);
  return {
    name: (quoted?.replace(/\\(.)/g, '$1') ?? plain).trim(),
    address: `${local}@${domain}`,
  };
}

/** A dot-atom; quoted local parts exist on paper only. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainName =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function invalid(field: string, why: string): McpError {
  return new McpError('invalid_input', `${field} ${why}.`, { field });
}
