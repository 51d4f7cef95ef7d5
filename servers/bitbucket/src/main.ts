import { runServer } from '@errand/server-kit';
import { bitbucketServer } from './bitbucket-server.ts';

await runServer(bitbucketServer);
