import { type BindingProblem, explainRefusal } from '@errand/document';
import { HostError } from '../host-error.ts';
import { decideSection, type NotePosition } from '../notes/decide-section.ts';

/** What may be used at a place of a note. */
export interface ToolScope {
  /** The one server of a bound section. */
  readonly boundServer?: string;
  allows(server: string): boolean;
  /** Mistakes in the bindings of the note that leave this place open. */
  readonly problems: readonly BindingProblem[];
}

/**
 * What may be used at a place of a note, as its text and the settings say now; `section_forbids` where
 * a binding is broken.
 */
export async function toolScope(
  place: NotePosition,
  ports: Parameters<typeof decideSection>[1],
  signal?: AbortSignal,
): Promise<ToolScope | HostError> {
  const { decision, problems } = await decideSection(place, ports, signal);
  switch (decision.kind) {
    case 'unbound':
      return { allows: () => true, problems };
    case 'bound':
      return {
        boundServer: decision.server,
        allows: (server) => server === decision.server,
        problems,
      };
    case 'refused':
      return new HostError('section_forbids', explainRefusal(decision));
  }
}
