import type { Notice } from '@errand/host';
import type { OwnerInfo } from './lease/owner-info.ts';

/** Says that a program shares its servers with nobody, and why. */
export function runsAlone(detail: string): Notice {
  return { level: 'warning', message: 'This program runs the servers for itself alone.', detail };
}

/** Says that the owner of the vault cannot be spoken to. */
export function otherVersion({ program, version, pid }: OwnerInfo, own: string): Notice {
  return runsAlone(
    `The vault is owned by ${program} ${version} (process ${pid}), which does not understand version ${own}. Update the older one and start both again.`,
  );
}
