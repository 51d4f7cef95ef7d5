import { basename } from 'node:path/posix';
import { matchesGlob } from '@errand/document';
import { catchFaults } from '@errand/host';
import type { EventSource } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { type FileChange, FileChanges } from './file-changes.ts';
import type { SourcesPorts } from './sources-ports.ts';

type FileTrigger = Extract<Trigger, { kind: 'file' }>;

/** Tells of files that were created, changed or deleted; one save is one event. */
export function fileSource(
  ports: Pick<SourcesPorts, 'folder' | 'clock' | 'host' | 'chains'>,
): EventSource {
  return {
    async start({ wanted, emit, onFault }) {
      let triggers: readonly FileTrigger[] = [];
      const tell = (change: FileChange) => {
        const { path, event, version, size, merged, since } = change;
        const isWanted = triggers.some(
          ({ events, glob }) => events.includes(event) && matchesGlob(glob, path),
        );
        if (!isWanted) return;
        const chain = ports.chains.at(since, path);
        emit({
          id: `file:${event}:${path}:${version}`,
          kind: 'file',
          at: ports.clock.now(),
          fields: {
            filePath: path,
            fileName: basename(path),
            file: { event, path, name: basename(path), size, merged },
          },
          ...(chain && { chain }),
        });
      };
      const files = new FileChanges({
        ...ports,
        ignored: () => [ports.host.servers.settings.attachmentsFolder],
        changed: (changes) => changes.forEach(catchFaults(tell, onFault)),
        onFault,
      });
      const follow = async () => {
        triggers = wanted().flatMap(({ trigger }) => (trigger.kind === 'file' ? [trigger] : []));
        await files.want(triggers.map(({ glob }) => glob));
      };
      await follow();
      return {
        refresh: () => follow().catch(onFault),
        [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
      };
    },
  };
}
