import { runServer } from '@errand/server-kit';
import { gmailServer } from './gmail-server.ts';

await runServer(gmailServer);
