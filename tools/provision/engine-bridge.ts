import { readProgram } from './run-program.ts';

/**
 * Makes the bridge that the engine's containers are plugged into. It is ours and not `docker0`, so that
 * another engine on the machine never notices.
 */
export async function createBridge(name: string): Promise<void> {
  await deleteBridge(name);
  const subnet = freeSubnet(await readProgram('ip', ['-4', 'route', 'show', 'table', 'all']));
  await readProgram('ip', ['link', 'add', 'name', name, 'type', 'bridge']);
  await readProgram('ip', ['address', 'add', `${subnet}.1/24`, 'dev', name]);
  await readProgram('ip', ['link', 'set', name, 'up']);
}

/** Removes the bridge; one that is not there is fine. */
export async function deleteBridge(name: string): Promise<void> {
  const links = await readProgram('ip', ['-o', 'link', 'show', 'type', 'bridge']);
  if (links.includes(` ${name}:`)) await readProgram('ip', ['link', 'delete', name]);
}

/** The first three numbers of a private network that no route of the machine mentions. */
export function freeSubnet(routes: string): string {
  for (let number = 0; number < 256; number++) {
    const subnet = `10.213.${number}`;
    if (!routes.includes(`${subnet}.`)) return subnet;
  }
  throw new Error('All networks of 10.213.0.0/16 are in use; remove some with: ip link delete');
}
