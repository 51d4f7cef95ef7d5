import {
  type ForeignServer,
  foreignPrograms,
  newServer,
  readForeignConfig,
  type ServerConfig,
  takeSecrets,
  withSecretValues,
} from '@errand/host';
import { obsidianAdviceLines } from '../text/advice.ts';
import type { SettingsController } from './settings-controller.ts';

/** A server of another program that can be imported. */
export interface OfferedServer {
  /** As it would be stored: switched off. */
  readonly entry: ServerConfig;
  /** It is enabled there, so it is tested and enabled here. */
  readonly isOn: boolean;
  /** It came with the vault, so it is not preselected. */
  readonly isStrange: boolean;
  /** Where it is from, what it does, and what is different here. */
  readonly lines: readonly string[];
  /** Variables and headers whose values look like secrets. */
  readonly clear: readonly string[];
}

export interface OfferedServers {
  readonly servers: readonly OfferedServer[];
  /** Files and entries that cannot be used here, each with the reason. */
  readonly problems: readonly string[];
}

/** The servers in a pasted text of any program; throws when it cannot be read. */
export async function readPastedServers(
  controller: SettingsController,
  text: string,
): Promise<OfferedServers> {
  const { folder, secrets } = controller.vault;
  const { servers, problems } = readForeignConfig(
    text,
    { file: 'The pasted text' },
    {
      os: process.platform,
      vaultFolder: folder,
      takenNames: controller.settings.mcpServers.map(({ name }) => name),
      takenSecrets: await secrets.names(),
    },
  );
  return {
    servers: servers.map((found) => offer(controller, found, [])),
    problems,
  };
}

/** Finds servers of other programs on this computer that are not in the settings. */
export async function findOtherServers(controller: SettingsController): Promise<OfferedServers> {
  const ours = await withSecretValues(controller.settings.mcpServers, controller.vault.secrets);
  const { servers, problems } = await controller.vault.discovery.list(ours);
  return {
    servers: servers.map((found) => {
      const { origins } = found;
      const places = origins.map(({ program, file }) => `${titleOf(program)} (${file})`);
      // A server that only the vault's own files name was not chosen by the user.
      const isStrange = origins.every(({ isFromVault }) => isFromVault === true);
      const from = `From ${places.join(', ')}${isStrange ? ', which came with this vault' : ''}`;
      return { ...offer(controller, found, [from]), isStrange };
    }),
    problems,
  };
}

function offer(
  { vault }: SettingsController,
  { server, notes, advice }: Pick<ForeignServer, 'server' | 'notes' | 'advice'>,
  from: readonly string[],
): OfferedServer {
  const taken = takeSecrets(server, []);
  return {
    entry: newServer(server, crypto.randomUUID()),
    isOn: server.enabled,
    isStrange: false,
    // Secret values are not shown on the screen.
    lines: [
      ...from,
      ...vault.trust.show(taken.server).does,
      ...notes,
      ...obsidianAdviceLines(advice),
    ],
    clear: taken.secrets.map(({ field }) => field),
  };
}

function titleOf(program: string): string {
  return program in foreignPrograms
    ? foreignPrograms[program as keyof typeof foreignPrograms].title
    : 'another vault';
}
