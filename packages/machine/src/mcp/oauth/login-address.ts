import { BlockList, isIP } from 'node:net';
import { HostError, oneLine } from '@errand/host';

/**
 * Why a program may not be sent to this address in a login; undefined when it may. A server names where its login
 * is, and could make us ask what only this machine, or its network, can reach.
 */
export function refuseLoginAddress(
  server: string,
  address: URL,
  serverUrl: URL,
): HostError | undefined {
  const [there, home] = [networkOf(address), networkOf(serverUrl)];
  const isNearer = distance[there] < distance[home];
  const isPlain = address.protocol === 'http:' && there === 'this machine';
  if (!isNearer && (address.protocol === 'https:' || isPlain)) return undefined;
  const why = isNearer ? `is ${words[there]} while the server is not` : 'is not https';
  const shown = oneLine(`${address.protocol}//${address.host}${address.pathname}`, 200);
  return new HostError(
    'login_required',
    `The login to server "${server}" was given up: the server names ${shown}, which ${why}. Nothing was sent there. Check the "url" of the server in the settings, and ask whoever runs it.`,
    { server, neverSent: true },
  );
}

type Network = 'this machine' | 'private' | 'internet';

const distance: Readonly<Record<Network, number>> = { 'this machine': 0, private: 1, internet: 2 };

const words: Readonly<Record<Network, string>> = {
  'this machine': 'on this machine',
  private: 'in a private network',
  internet: 'on the internet',
};

/** By what the address says alone: the names of a network are not looked up. */
function networkOf({ hostname }: URL): Network {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const version = isIP(host);
  if (version === 0) return /(^|\.)localhost$/.test(host) ? 'this machine' : 'internet';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (thisMachine.check(host, family)) return 'this machine';
  return privateNetworks.check(host, family) ? 'private' : 'internet';
}

const thisMachine = rangesOf(
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['::', 127, 'ipv6'], // Unspecified and loopback.
);

const privateNetworks = rangesOf(
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
);

function rangesOf(...ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) list.addSubnet(...range);
  return list;
}
