import type { NoteContext } from '../note-context.ts';

/** Says that no server has that name, and which there are. */
export function unknownServer(name: string, { servers }: NoteContext): string {
  const known = servers.map((server) => server.name).join(', ');
  const hint = known === '' ? 'None is registered.' : `Registered: ${known}.`;
  return `There is no server "${name}". ${hint}`;
}
