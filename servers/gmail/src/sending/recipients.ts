import { McpError } from '@errand/server-kit';
import { parseAddresses } from '../mime/addresses.ts';
import type { OutgoingRequest } from './outgoing.ts';

/** Who may be written to. */
export interface Recipients {
  /** Fails when a mail would go to somebody who is not on the list, or to nobody. */
  check(request: OutgoingRequest): void;
}

/** Reads a list of addresses and of domains such as `@example.org`; without a list, everybody may be written to. */
export function readRecipients(list: string | undefined): Recipients {
  const entries = (list ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  const named = entries.filter((entry) => entry !== '');
  const domains = new Set(named.filter((entry) => entry.startsWith('@')));
  const addresses = new Set(
    named
      .filter((entry) => !entry.startsWith('@'))
      .flatMap((entry) => parseAddresses('The list of allowed recipients', entry))
      .map(({ address }) => address.toLowerCase()),
  );
  const isAllowed = (address: string) =>
    list === undefined ||
    addresses.has(address) ||
    domains.has(address.slice(address.lastIndexOf('@')));
  return {
    check({ to, cc, bcc }) {
      if (to.length === 0)
        throw new McpError('invalid_input', 'to has no address.', { field: 'to' });
      const refused = [...to, ...cc, ...bcc]
        .map(({ address }) => address.toLowerCase())
        .filter((address) => !isAllowed(address));
      if (refused.length === 0) return;
      throw new McpError(
        'permission_denied',
        `This server may not write to ${refused.join(', ')}. Whoever runs it decides by --allow or GMAIL_ALLOWED_RECIPIENTS.`,
        { refused },
      );
    },
  };
}
