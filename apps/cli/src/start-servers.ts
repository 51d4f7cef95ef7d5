import { adviceForCode, type Host, type Notifier } from '@errand/host';

/** Connects the servers of a program that stays, and says which of them wait for a person's agreement. */
export function startServers({ servers }: Pick<Host, 'servers'>, notifier: Notifier): void {
  servers.start();
  const waiting = servers
    .snapshots()
    .filter(({ enabled, trust }) => enabled && trust !== 'trusted');
  if (waiting.length === 0) return;
  const names = waiting.map(({ config }) => `"${config.name}"`).join(', ');
  const message = `These servers need approval and were not started: ${names}.`;
  notifier.notify({ level: 'warning', message, advice: adviceForCode('untrusted') });
}
