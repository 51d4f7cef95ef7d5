import { posix } from 'node:path';
import { HostError, toolScope } from '@errand/host';
import type { ScopeOf } from './scope.ts';

/**
 * Offers a client that names a note, or a line of it, what may be used there. The note is read again
 * each time, so that a client never sees more than the note allows now.
 */
export function noteScope(ports: Parameters<typeof toolScope>[1]): ScopeOf {
  return async (query) => {
    const line = query.get('line');
    if (line !== null && !/^[1-9]\d*$/.test(line)) return noLine(line);
    // A detour such as "Projects/../Note.md" must not lead around what the settings say of a note.
    const path = posix.normalize(query.get('note') ?? '');
    try {
      const place = { path, ...(line !== null && { line: Number(line) }) };
      const scope = await toolScope(place, ports);
      return scope instanceof HostError ? scope : (server) => scope.allows(server);
    } catch (error) {
      if (error instanceof HostError) return error;
      throw error;
    }
  };
}

function noLine(line: string): HostError {
  return new HostError(
    'section_forbids',
    `"line=${line}" is not a line. Use a whole number, 1 or more.`,
  );
}
