import type { ServerConfig } from '../settings.ts';

/** A whole entry for tests that need one and do not care which. */
export const exampleServer: ServerConfig = {
  id: '11111111-2222-4333-8444-555555555555',
  name: 'notes',
  transport: 'stdio',
  deploymentType: 'local',
  localConfig: { command: 'errand-vault', args: ['--vault', '.'] },
  enabled: true,
  failureCount: 0,
  autoDisabled: false,
  sectionBindings: [],
};
