import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test('a secret that a server asks for is not shown on the terminal', patient, async () => {
  using vault = TestVault.trusted({});
  vault.add(vault.scripted());
  const params = {
    message: 'Please log in.\nServer "bank" asks:',
    requestedSchema: {
      type: 'object',
      properties: { password: { type: 'string' } },
      required: ['password'],
    },
  };
  const call = `errand call fix ask method=elicitation/create 'params=${JSON.stringify(params)}'`;
  using asked = vault.startOnTerminal(call);
  await asked.says(
    /asks:\s+│ Please log in\.\s+│ Server "bank" asks:\s+[\s\S]*Answer it\? \[y\/N\]/,
  );
  asked.type('y\r');
  await asked.says(/looks like a secret[\s\S]*password: $/);
  asked.type('swordfish\r');
  const { stdout } = await asked.ended;
  // The server's own answer tells what it got; the terminal showed it nowhere else.
  expect(stdout.match(/swordfish/g)).toHaveLength(1);
  expect(stdout).toMatch(/"password": "swordfish"/);
});
