import { runServer } from '@errand/server-kit';
import { vaultServer } from './vault-server.ts';

await runServer(vaultServer);
