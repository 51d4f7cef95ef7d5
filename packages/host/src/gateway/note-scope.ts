import { posix } from 'node:path';
import { HostError } from '../host-error.ts';
import { decideSection } from '../notes/decide-section.ts';
import type { ScopeOf, ToolFilter } from './scope.ts';

/**
 * Offers a client that names a note, or a line of it, what may be used there. The note is read again
 * each time, so that a client never sees more than the note allows now.
 */
export function noteScope(ports: Parameters<typeof decideSection>[1]): ScopeOf {
  return async (query) => {
    const line = query.get('line');
    if (line !== null && !/^[1-9]\d*$/.test(line)) return noLine(line);
    // A detour such as "Projects/../Note.md" must not lead around what the settings say of a note.
    const path = posix.normalize(query.get('note') ?? '');
    try {
      const place = { path, ...(line !== null && { line: Number(line) }) };
      return filterOf(await decideSection(place, ports));
    } catch (error) {
      if (error instanceof HostError) return error;
      throw error;
    }
  };
}

function filterOf(decision: Awaited<ReturnType<typeof decideSection>>): ToolFilter | HostError {
  switch (decision.kind) {
    case 'unbound':
      return () => true;
    case 'bound':
      return (server) => server === decision.server;
    case 'refused':
      return new HostError(
        'section_forbids',
        `No tool may be used here: the binding of this section is broken. ${decision.message}`,
      );
  }
}

function noLine(line: string): HostError {
  return new HostError('section_forbids', `"line=${line}" is no line. Write a number from 1 on.`);
}
