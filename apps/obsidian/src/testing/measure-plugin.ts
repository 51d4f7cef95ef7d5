import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { longestTask, scriptedServerConfig, taskCategories } from '@errand/machine/testing';
import { builtPlugin } from './built-plugin.ts';
import { type OpenObsidian, openObsidian, type TestVault } from './open-obsidian.ts';

/** The plugin's one file: its size, and the processor time that a fresh program needs to read and run it, beside an empty one. */
export async function measureBundle(): Promise<{
  readonly bytes: number;
  readonly evaluateMs: number;
  readonly emptyMs: number;
}> {
  const main = join(await builtPlugin(), 'main.js');
  return { bytes: statSync(main).size, evaluateMs: evaluate(main), emptyMs: evaluate() };
}

/** Every class of Obsidian and the editor is a stand-in here: only the file itself is measured. */
const evaluating = `
  const [main] = process.argv.slice(1);
  const { readFileSync } = require('node:fs');
  const stub = new Proxy(function () {}, { get: (_, key) => key === 'prototype' ? {} : stub, apply: () => stub });
  const load = (name) => name === 'obsidian' || name.startsWith('@codemirror/') ? stub : require(name);
  const text = main === undefined ? '' : readFileSync(main, 'utf8');
  const start = process.cpuUsage();
  new Function('require', 'module', 'exports', text)(load, { exports: {} }, {});
  const { user, system } = process.cpuUsage(start);
  console.log((user + system) / 1000);
`;

function evaluate(...main: readonly string[]): number {
  const times = Array.from({ length: 5 }, () => {
    const { stdout } = spawnSync(process.execPath, ['-e', evaluating, ...main], {
      encoding: 'utf8',
    });
    return Number(stdout);
  });
  return median(times);
}

/** Milliseconds from having the text of `main.js` until the plugin is ready. */
export interface LoadTimes {
  readonly all: number;
  /** Without the way to Node, which is another process here and the same thread in Obsidian. */
  readonly own: number;
}

/** Loads the plugin in a vault with so many notes. */
export async function measureLoad(notes: number): Promise<LoadTimes> {
  const paths = Array.from({ length: notes }, (_, at) => `Area ${at % 100}/Note ${at}.md`);
  const vault = {
    notes: Object.fromEntries(paths.map((path) => [path, '# A note\n'])),
    data: settings,
  };
  const times: LoadTimes[] = [];
  for (let turn = 0; turn < loadTurns; turn += 1) times.push(await loadOnce(vault));
  return { all: median(times.map(({ all }) => all)), own: median(times.map(({ own }) => own)) };
}

const loadTurns = 7;

async function loadOnce(vault: TestVault): Promise<LoadTimes> {
  await using obsidian = await openObsidian({}, () => vault);
  const loading = await obsidian.harness.evaluate((each) => each.loading);
  if (loading === undefined) throw new Error('The plugin was not loaded.');
  const { evaluateMs, onloadMs, detour } = loading;
  const all = evaluateMs + onloadMs;
  return { all, own: all - detour.askingMs - detour.waitingMs + detour.nodeMs };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const settings = JSON.stringify({ version: 1, mcpServers: [scriptedServerConfig()] });

export interface LongestTasks {
  readonly scrolling: number;
  readonly typing: number;
}

/** The longest task of a page that shows a note with many blocks, in milliseconds of processor time. */
export async function measureNote(
  mode: 'source' | 'preview',
  blocks: number,
  isLoaded: boolean,
  /** Characters of prose, spread over the note. */
  prose = 0,
): Promise<LongestTasks> {
  await using obsidian = await openObsidian({}, () => ({
    notes: { 'note.md': noteWith(blocks, prose) },
    data: settings,
  }));
  const { harness, page } = obsidian;
  if (!isLoaded) await harness.evaluate((each) => each.unload());
  await harness.evaluate((each, as) => each.open('note.md', as), mode);
  await page.evaluate(() => {
    document.documentElement.style.height = '100%';
  });
  // Read, made and drawn: opening a note is not what is measured.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame += 1) {
      await new Promise((done) => setTimeout(() => requestAnimationFrame(done)));
    }
  });
  return { scrolling: await longest(obsidian, 'scroll'), typing: await longest(obsidian, 'type') };
}

function noteWith(blocks: number, prose: number): string {
  const words = 'Some words before it.\n'.repeat(Math.max(1, prose / blocks / 22));
  const each = (at: number) =>
    `## Part ${at}\n\n${words}\n\n\`\`\`scripted\ntool: echo\ntext: block ${at}\ncount: ${at}\n\`\`\`\n\n\`\`\`mcp-result req=0123456789 sum=0123456789 type=json\n{"at": ${at}, "list": [1, 2, 3]}\n\`\`\`\n`;
  // Bound, so that every heading has a badge.
  return `---\nmcp: {server: scripted}\n---\n# Many\n\n${Array.from({ length: blocks }, (_, at) => each(at)).join('\n')}\nEnd.\n`;
}

async function longest({ harness, page }: OpenObsidian, what: 'scroll' | 'type'): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  // Whatever Node tells leads to questions, and their way to another process would be counted.
  await harness.evaluate((each) => each.holdNode(true));
  await browser.startTracing(page, { categories: [...taskCategories] });
  await harness.evaluate(async (each, doing) => {
    const drawn = () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    const { editor } = each.pane(0);
    const steps = doing === 'scroll' ? 200 : 60;
    for (let step = 1; step <= steps; step += 1) {
      if (doing === 'scroll') {
        window.scrollTo(0, (document.documentElement.scrollHeight * step) / steps);
      } else {
        editor.transaction({ changes: [{ from: { line: 4, ch: 0 }, text: 'x' }] }, 'input.type');
      }
      await drawn();
    }
    await drawn();
  }, what);
  const trace = (await browser.stopTracing()).toString();
  await harness.evaluate((each) => each.holdNode(false));
  return longestTask(trace);
}
