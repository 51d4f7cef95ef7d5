import { duration } from '@errand/document/display';
import type { ServerConfig, ServerSnapshot, TestStep } from '@errand/host';
import { describeStep, type RunningTest, toolCount } from '@errand/workspace/servers';
import { stateOf } from '../../side-view/server-states.ts';
import { describeThrown } from '../../text/advice.ts';
import { ensureTrust } from '../ask-trust.ts';
import { showFailure } from '../notices.ts';
import type { OpenPlugin } from '../open-plugin.ts';
import { addButton } from './redraw-keeping-focus.ts';
import { addTicking } from './ticking.ts';

/** Shows every server: how it is and why, and what can be done about it. */
export function drawServers(el: HTMLElement, open: OpenPlugin): void {
  const servers = open.vault.host.servers.list();
  el.empty();
  if (servers.length === 0) {
    const text = 'No servers yet. Add the first one in the settings of Errand.';
    el.createEl('p', { cls: 'errand-empty', text });
  }
  for (const server of servers) drawServer(el.createDiv({ cls: 'errand-server' }), open, server);
}

function drawServer(el: HTMLElement, open: OpenPlugin, server: ServerConfig): void {
  const { vault } = open;
  const { label, tone, reason } = stateOf(vault, server.id);
  const snapshot = vault.host.servers.snapshot(server.id);
  el.dataset.server = server.name;
  el.dataset.tone = tone;
  const head = el.createDiv({ cls: 'errand-server-head' });
  head.createSpan({ cls: 'errand-server-name', text: server.name });
  const stateEl = head.createSpan({ cls: 'errand-server-state', text: label });
  const { nextRetryAt } = snapshot.retryState;
  if (nextRetryAt !== undefined) {
    stateEl.appendText(', next try ');
    addTicking(stateEl, 'until', nextRetryAt);
  }
  const facts = factsOf(snapshot);
  if (facts !== '') el.createDiv({ cls: 'errand-server-facts', text: facts });
  if (reason !== null) el.createDiv({ cls: 'errand-server-reason', text: reason });
  drawActions(el.createDiv({ cls: 'errand-actions' }), open, server);
  const test = vault.tests.of(server.id);
  if (test !== undefined) drawTest(el.createDiv({ cls: 'errand-test' }), test);
}

/** `12 tools · 3 ms` */
function factsOf({ connectionState, toolCount: tools, pingLatency }: ServerSnapshot): string {
  if (connectionState !== 'connected') return '';
  const facts = [
    ...(tools === undefined ? [] : [toolCount(tools)]),
    ...(pingLatency === undefined ? [] : [`answers in ${duration(pingLatency)}`]),
  ];
  return facts.join(' · ');
}

function drawActions(el: HTMLElement, open: OpenPlugin, server: ServerConfig): void {
  const { vault } = open;
  const { servers } = vault.host;
  const { id, name, enabled } = server;
  /** Runs an action that starts the server; asks for approval first if it has none. */
  const starting = (work: () => unknown) => () =>
    void ensureTrust(open, [server])
      .then((isAgreed) => (isAgreed ? work() : undefined))
      .catch(showFailure);
  if (enabled && servers.snapshot(id).connectionState !== 'connecting') {
    addButton(
      el,
      { text: 'Try now', label: `Try ${name} now` },
      starting(() => servers.tryNow(id)),
    );
  }
  if (enabled) {
    addButton(
      el,
      { text: 'Disable', label: `Disable ${name}` },
      () => void servers.setEnabled(id, false).catch(showFailure),
    );
  } else {
    addButton(
      el,
      { text: 'Enable', label: `Enable ${name}`, isCta: true },
      starting(() => servers.setEnabled(id, true)),
    );
  }
  addButton(
    el,
    { text: 'Test', label: `Test ${name}` },
    starting(() => vault.tests.begin(server)),
  );
}

function drawTest(el: HTMLElement, test: RunningTest): void {
  const { isRunning, steps, tools } = test;
  const failure = test.error === undefined ? undefined : describeThrown(test.error);
  const list = el.createEl('ol', { cls: 'errand-test-steps' });
  for (const step of steps) drawStep(list.createEl('li'), step);
  if (isRunning) el.createDiv({ text: 'Testing …', attr: { role: 'status' } });
  if (tools !== undefined) {
    const text = `It works: ${toolCount(tools)}.`;
    el.createDiv({ cls: 'errand-test-good', text, attr: { role: 'status' } });
  }
  if (failure !== undefined) {
    el.createDiv({ cls: 'errand-test-bad', text: failure, attr: { role: 'status' } });
  }
}

function drawStep(el: HTMLElement, step: TestStep): void {
  el.dataset.done = String(step.isDone);
  el.setText(`${describeStep(step)}: ${step.isDone ? duration(step.durationMs) : 'failed'}`);
}
