import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type DockerConfig, readSettings, type ServerConfig } from '@errand/host';
import { containersOf, engineEnv, scriptedContainer, testEngine } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { ScriptedVault } from '../../testing/scripted-vault.ts';
import { SettingsDriver } from '../../testing/settings-driver.ts';

const patient = { timeout: 180_000 };
const patience = { timeout: 60_000 };
const echo = '```boxed\ntool: echo\ntext: hello\n```\n\nBelow.\n';
const dataFile = '.obsidian/plugins/errand/data.json';

/** Ends at once while there is a file `broken` beside the vault. */
const program = `require('node:fs').existsSync('/home/broken')
  ? process.exit(3)
  : import('/testing/scripted-server.ts')`;

interface Box {
  readonly config?: Partial<DockerConfig>;
  readonly transport?: ServerConfig['transport'];
  readonly isBroken?: boolean;
  readonly engine?: string;
}

/** A vault with one server in a container, shown and not run yet. */
async function openBoxed({ config, transport = 'stdio', isBroken = false, engine }: Box = {}) {
  const { dockerConfig, ...entry } = scriptedContainer({}, config);
  const { mounts = [] } = dockerConfig ?? {};
  const boxed = (home: string) => ({
    ...entry,
    transport,
    dockerConfig: {
      ...dockerConfig,
      command: ['node', '-e', program, 'script', '{}'],
      mounts: [...mounts, { source: home, target: '/home' }],
    },
  });
  const data = (home: string) => {
    if (isBroken) writeFileSync(join(home, 'broken'), '');
    return JSON.stringify({ version: 1, mcpServers: [boxed(home)] });
  };
  const env = { ...engineEnv, ...(engine && { DOCKER_HOST: engine }) };
  const vault = await ScriptedVault.open(echo, { data, env });
  await vault.show('source');
  return { vault, server: boxed(vault.obsidian.home) as ServerConfig };
}

function storedServer({ obsidian }: ScriptedVault): ServerConfig | undefined {
  return readSettings(obsidian.file(dataFile), 'data.json').mcpServers[0];
}

test(
  'starts a container for a block, starts another when it is killed, and leaves none',
  patient,
  async () => {
    const { vault: opened, server } = await openBoxed();
    await using vault = opened;
    expect(await containersOf(server)).toEqual([]);
    await vault.agreeAndRun();
    await vault.hasState('fresh');
    expect(await vault.obsidian.text()).toContain('\nhello\n```\n\nBelow.\n');
    const [first] = await containersOf(server);
    expect(first?.State).toBe('running');
    await testEngine().ask({ method: 'POST', path: `/containers/${first?.Id}/kill` });
    await vault.notice('MCP server boxed disconnected, retrying...');
    await vault.notice('MCP server boxed connected again');
    await vault.press('Run again');
    await vault.hasState('fresh');
    const [second] = await containersOf(server);
    expect(second?.Id).not.toBe(first?.Id);
    await vault.obsidian.harness.evaluate((each) => each.unload());
    await expect.poll(() => containersOf(server), patience).toEqual([]);
  },
);

test('leaves no container when it is disabled while one is starting', patient, async () => {
  const { vault: opened, server } = await openBoxed();
  await using vault = opened;
  await vault.agreeAndRun();
  await expect.poll(async () => (await containersOf(server)).length, patience).toBe(1);
  await vault.obsidian.harness.evaluate((each) => each.unload());
  await expect.poll(() => containersOf(server), patience).toEqual([]);
  const { harness } = vault.obsidian;
  const open = () => harness.evaluate((each) => each.leftovers().node);
  await expect.poll(open, patience).toEqual({});
});

test('gives up a container that always ends, until it is enabled again', patient, async () => {
  const { vault: opened, server } = await openBoxed({ isBroken: true });
  await using vault = opened;
  const { page, harness } = vault.obsidian;
  await vault.agreeAndRun();
  await vault.notice('Could not start MCP server boxed, retrying...');
  // The tries come after 1, 5 and 15 seconds, which pass at once here.
  await page.clock.install();
  const isGivenUp = async () => {
    await page.clock.fastForward(4_000);
    return (await harness.evaluate((each) => each.notices)).filter((text) =>
      text.includes('MCP server boxed auto-disabled after 3 failures'),
    );
  };
  await expect
    .poll(isGivenUp, patience)
    .toEqual([expect.stringContaining('Once fixed, enable it in the side view of Errand.')]);
  await vault.hasState('failed');
  const written = await storedServer(vault);
  expect(written).toMatchObject({ enabled: true });
  await expect.poll(() => containersOf(server), patience).toEqual([]);
  rmSync(join(vault.obsidian.home, 'broken'));
  const driver = new SettingsDriver(vault, false);
  await driver.show();
  await driver.openPage('boxed');
  await driver.row('State').getByText('Disabled after failures').waitFor();
  await driver.toggle('Enabled');
  await driver
    .row('State')
    .getByText(/^Connected/)
    .waitFor();
  await driver.close();
  await vault.press('Run again');
  await vault.hasState('fresh');
  expect(await storedServer(vault)).toEqual(written);
});

test('says which port is in use, and by which program', patient, async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const { vault: opened, server } = await openBoxed({
      config: { ports: { '8080': port } },
      transport: 'http',
    });
    await using vault = opened;
    await vault.agreeAndRun();
    await vault.notice(`Port ${port} is already in use`);
    await vault.hasState('failed');
    expect(await vault.obsidian.text()).toContain(
      `change "ports" of server "boxed" in the settings`,
    );
    await expect.poll(() => containersOf(server), patience).toEqual([]);
  } finally {
    holder.close();
  }
});

test('says which image is missing', patient, async () => {
  const { vault: opened } = await openBoxed({ config: { image: 'errand-test/not-there:1' } });
  await using vault = opened;
  await vault.agreeAndRun();
  await vault.hasState('failed');
  expect(await vault.obsidian.text()).toContain(
    'Server "boxed" needs the image errand-test/not-there:1, which is not on this machine',
  );
});

test('says where it looked for an engine', patient, async () => {
  const { vault: opened } = await openBoxed({ engine: 'unix:///nowhere/docker.sock' });
  await using vault = opened;
  await vault.agreeAndRun();
  const notice = await vault.notice('No Docker engine answers');
  expect(notice).toContain('at unix:///nowhere/docker.sock. Start it');
  await vault.hasState('failed');
});
