import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const levels = 5000;
const json = '['.repeat(levels) + ']'.repeat(levels);

test(
  'text that is JSON nested 5,000 levels deep is shown and written as the text that it is',
  patient,
  async () => {
    const note = `\`\`\`fix\ntool: deep\nlevels: ${levels}\n\`\`\`\n`;
    using vault = TestVault.trusted({ notes: { 'Note.md': note } });
    vault.add(vault.scripted());
    const call = await vault.errand('call', 'fix', 'deep', `levels=${levels}`);
    expect(call).toEqual({ code: 0, stdout: `${json}\n`, stderr: '' });
    const run = await vault.errand('run', 'Note.md');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(vault.read('Note.md')).toContain(`type=text\n${json}\n`);
    expect((await vault.json('history')).json).toMatchObject({
      calls: [
        { note: 'Note.md', status: 'success', resultBytes: 2 * levels },
        { note: null, status: 'success', resultBytes: 2 * levels },
      ],
    });
  },
);

test(
  'an answer nested 10,000 levels deep is refused in words and has its line in the log',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    const { code, stdout, stderr } = await vault.errand(
      'call',
      'fix',
      'deep',
      'levels=10000',
      'structured=true',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'Server "fix" answered with JSON nested deeper than 200 levels, which is too deep. Ask it for less at once.\n',
    );
    expect((await vault.json('history')).json).toMatchObject({
      calls: [{ tool: 'deep', status: 'error', error: { code: 'result_too_large' } }],
    });
  },
);
