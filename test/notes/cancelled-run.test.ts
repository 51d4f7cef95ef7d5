import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';
import { running } from '../end-to-end/process-state.ts';
import { until } from './until.ts';

test(
  'keeps finished results at Ctrl-C, writes nothing else, and notifies the server',
  patient,
  async () => {
    const hang = '```fix\ntool: wait\nfile: never\n```\n';
    using vault = TestVault.trusted({
      notes: { 'Note.md': `${hang}\n\`\`\`fix\ntool: echo\ntext: done\n\`\`\`\n\n${hang}` },
    });
    vault.add(vault.scripted());
    using errand = vault.start('run', 'Note.md', '--json');
    const calls = () => readJournal(vault.journal).filter(({ kind }) => kind === 'call');
    await until(() => calls().length === 3 && vault.read('Note.md').includes('mcp-result'));
    errand.child.kill('SIGINT');
    const { code, stdout } = await errand.ended;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 130,
      changed: true,
      results: [
        { status: 'cancelled', written: false },
        { status: 'success', written: true },
        { status: 'cancelled', written: false },
      ],
    });
    expect(vault.read('Note.md').match(/mcp-(result|error)/g)).toEqual(['mcp-result']);
    const cancelled = readJournal(vault.journal).filter(({ kind }) => kind === 'cancelled');
    expect(cancelled).toHaveLength(2);
    expect(await running(calls()[0]?.pid ?? 0)).toEqual([false]);
  },
);
