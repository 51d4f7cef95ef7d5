import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Notice } from '@errand/host';
import { callRecord, noon } from '@errand/host/testing';
import { CallLogFile } from '../node/call-log-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A vault, and beside it a folder that is none of its business. */
export async function openVaultAndOutside() {
  const folder = await temporaryFolder();
  const [vault, outside] = [join(folder.path, 'vault'), join(folder.path, 'outside')];
  await mkdir(vault);
  await mkdir(outside);
  const notices: Notice[] = [];
  const openLog = (bounds: { readonly logDays?: number }, at = vault) =>
    new CallLogFile({
      vault: at,
      settings: () => ({ logParameters: false, logDays: 30, logMegabytes: 100, ...bounds }),
      notifier: { notify: (notice) => void notices.push(notice) },
      now: () => noon,
    });
  return {
    vault,
    outside,
    locks: join(folder.path, 'locks'),
    notices,
    openLog,
    async link(path: string, target: string) {
      await mkdir(dirname(join(vault, path)), { recursive: true });
      await symlink(target, join(vault, path));
    },
    async logCall(bounds: { readonly logDays?: number }) {
      await using log = openLog(bounds);
      log.append(callRecord({ tool: '$(touch /tmp/errand-was-here)' }));
      await log.flush();
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
