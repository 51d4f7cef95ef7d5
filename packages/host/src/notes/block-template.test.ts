import { findToolBlocks, scan } from '@errand/document';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { blockTemplate } from './block-template.ts';

test.each(['echo', 'ns: tool # one', 'ends\n```\nearly', '- list', 'true'])(
  'is a block that calls the tool %j',
  (name) => {
    const template = blockTemplate('a', { name, inputSchema: { type: 'object' } });
    const known = { servers: [localServer('a')], documentPath: 'Note.md' };
    expect(findToolBlocks(scan(template), known)).toMatchObject([{ tool: name, problem: null }]);
  },
);
