import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/host/testing';
import { builtPlugin } from './built-plugin.ts';
import { type OpenObsidian, openObsidian } from './open-obsidian.ts';

/** The plugin's one file: its size, and how long a fresh program takes to read and run it, beside an empty one. */
export async function measureBundle(): Promise<{
  readonly bytes: number;
  readonly evaluateMs: number;
  readonly emptyMs: number;
}> {
  const folder = await builtPlugin();
  const main = join(folder, 'main.js');
  const empty = join(folder, 'empty.js');
  writeFileSync(empty, '');
  return {
    bytes: statSync(main).size,
    evaluateMs: evaluate(main),
    emptyMs: evaluate(empty),
  };
}

/** Every class of Obsidian and the editor is a stand-in here: only the file itself is measured. */
const evaluating = `
  const [main] = process.argv.slice(1);
  const { readFileSync } = require('node:fs');
  const stub = new Proxy(function () {}, { get: (_, key) => key === 'prototype' ? {} : stub, apply: () => stub });
  const load = (name) => name === 'obsidian' || name.startsWith('@codemirror/') ? stub : require(name);
  const start = performance.now();
  new Function('require', 'module', 'exports', readFileSync(main, 'utf8'))(load, { exports: {} }, {});
  console.log(performance.now() - start);
`;

function evaluate(main: string): number {
  const times = Array.from({ length: 5 }, () => {
    const { stdout } = spawnSync(process.execPath, ['-e', evaluating, main], { encoding: 'utf8' });
    return Number(stdout);
  });
  return times.sort((a, b) => a - b)[2] ?? Number.NaN;
}

/** Milliseconds from `onload` until the plugin is ready, in a vault with so many notes. */
export async function measureLoad(notes: number): Promise<number> {
  const paths = Array.from({ length: notes }, (_, at) => `Area ${at % 100}/Note ${at}.md`);
  await using obsidian = await openObsidian({}, () => ({
    notes: Object.fromEntries(paths.map((path) => [path, '# A note\n'])),
    data: settings,
  }));
  return await obsidian.harness.evaluate(({ loadMs }) => loadMs);
}

const settings = JSON.stringify({ version: 1, mcpServers: [scriptedServerConfig()] });

export interface LongestTasks {
  readonly scrolling: number;
  readonly typing: number;
}

/** The longest task, in milliseconds, of a page that shows a note with many blocks; 0 when none was long. */
export async function measureNote(
  mode: 'source' | 'preview',
  blocks: number,
  isLoaded: boolean,
): Promise<LongestTasks> {
  await using obsidian = await openObsidian({}, () => ({
    notes: { 'note.md': noteWith(blocks) },
    data: settings,
  }));
  const { harness, page } = obsidian;
  if (!isLoaded) await harness.evaluate((each) => each.unload());
  await harness.evaluate((each, as) => each.open('note.md', as), mode);
  await page.evaluate(() => {
    document.documentElement.style.height = '100%';
  });
  return { scrolling: await longest(obsidian, 'scroll'), typing: await longest(obsidian, 'type') };
}

function noteWith(blocks: number): string {
  const each = (at: number) =>
    `## Part ${at}\n\nSome words before it.\n\n\`\`\`scripted\ntool: echo\ntext: block ${at}\ncount: ${at}\n\`\`\`\n\n\`\`\`mcp-result req=0123456789 sum=0123456789 type=json\n{"at": ${at}, "list": [1, 2, 3]}\n\`\`\`\n`;
  return `# Many\n\n${Array.from({ length: blocks }, (_, at) => each(at)).join('\n')}\nEnd.\n`;
}

function longest({ harness }: OpenObsidian, what: 'scroll' | 'type'): Promise<number> {
  return harness.evaluate(async (each, doing) => {
    const drawn = () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    for (let frame = 0; frame < 20; frame += 1) await drawn();
    const seen: number[] = [0];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    const { editor } = each.pane(0);
    const steps = doing === 'scroll' ? 200 : 60;
    for (let step = 1; step <= steps; step += 1) {
      if (doing === 'scroll') {
        window.scrollTo(0, (document.documentElement.scrollHeight * step) / steps);
      } else {
        editor.transaction({ changes: [{ from: { line: 1, ch: 0 }, text: 'x' }] }, 'input.type');
      }
      await drawn();
    }
    await drawn();
    observer.disconnect();
    return Math.max(...seen);
  }, what);
}
