import { basename } from 'node:path/posix';
import { matchesGlob } from '@errand/document';
import { catchFaults } from '@errand/host';
import type { EventSource } from '../hook-event.ts';
import type { Trigger } from '../hook-schema.ts';
import { byFirstFolder } from './by-first-folder.ts';
import { type FileChange, FileChanges, noticedIn } from './file-changes.ts';
import type { SourcesPorts } from './sources-ports.ts';

type FileTrigger = Extract<Trigger, { kind: 'file' }>;

/** Tells of files that were created, changed or deleted; one save is one event. */
export function fileSource(
  ports: Pick<SourcesPorts, 'folder' | 'clock' | 'host' | 'chains'>,
): EventSource {
  return {
    async start({ wanted, emit, onFault }) {
      let triggersFor = byFirstFolder<FileTrigger>([]);
      const noticed = noticedIn(ports.folder);
      const tell = (change: FileChange) => {
        const { path, event, version, size, merged } = change;
        const isWanted = triggersFor(path).some(
          ({ events, glob }) => events.includes(event) && matchesGlob(glob, path),
        );
        if (!isWanted) return undefined;
        const chain = ports.chains.ofFile(path, noticed(change));
        return emit({
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
        const triggers = wanted().flatMap(({ trigger }) =>
          trigger.kind === 'file' ? [trigger] : [],
        );
        triggersFor = byFirstFolder(triggers);
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
