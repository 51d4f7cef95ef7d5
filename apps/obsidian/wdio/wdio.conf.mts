import { resolve } from 'node:path';

/** Obsidian as it is released now, and the oldest that the plugin supports. */
const versions = ['latest', 'earliest'];

export const config: WebdriverIO.Config = {
  runner: 'local',
  framework: 'mocha',
  specs: ['./specs/**/*.e2e.ts'],
  maxInstances: 1,
  capabilities: versions.map((browserVersion) => ({
    browserName: 'obsidian',
    browserVersion,
    'wdio:obsidianOptions': {
      installerVersion: 'latest',
      // As it is released; its settings are written before it is enabled.
      plugins: [{ path: '../dist', enabled: false }],
      vault: 'vault',
    },
  })),
  services: ['obsidian'],
  reporters: ['obsidian'],
  cacheDir: resolve('.cache'),
  mochaOpts: { ui: 'bdd', timeout: 60_000 },
  logLevel: 'warn',
};
