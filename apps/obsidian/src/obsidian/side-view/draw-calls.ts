import type { SessionUse } from '@errand/host';
import type { ActiveCall } from '@errand/workspace/activity';
import { describeProgress, sessionName } from '@errand/workspace/text';
import type { OpenPlugin } from '../open-plugin.ts';
import { addNoteLink } from './note-link.ts';
import { addButton } from './redraw-keeping-focus.ts';
import { addTicking } from './ticking.ts';

/** Shows what runs and waits, what notes and conversations have used of their calls, and how to end and go on. */
export function drawCalls(el: HTMLElement, open: OpenPlugin): void {
  const { vault, activity } = open;
  const { host } = vault;
  const { isStopped: stopped, active: calls, sessions: all } = activity.snapshot;
  const sessions = all.filter(({ executed }) => executed > 0);
  el.empty();
  const actions = el.createDiv({ cls: 'errand-actions' });
  if (stopped) {
    const text = 'Stopped: no call is made until you resume.';
    el.insertBefore(el.createDiv({ cls: 'errand-stopped', text }), actions);
    addButton(actions, { text: 'Resume', label: 'Resume executions', isCta: true }, () =>
      host.resume(),
    );
  } else {
    addButton(actions, { text: 'Stop all', label: 'Stop all executions' }, () => host.stop());
  }
  if (sessions.length > 0) {
    addButton(actions, { text: 'Reset session limits', label: 'Reset session limits' }, () => {
      for (const { id } of sessions) activity.sessions.reset(id);
    });
  }
  if (calls.length === 0 && !stopped) {
    el.createEl('p', { cls: 'errand-empty', text: 'Nothing runs.' });
  }
  for (const call of calls) drawCall(el.createDiv({ cls: 'errand-call' }), open, call);
  for (const use of sessions) drawSession(el.createDiv({ cls: 'errand-session' }), open, use);
}

function drawCall(el: HTMLElement, open: OpenPlugin, call: ActiveCall): void {
  const { server, tool, progress, submittedAt, startedAt } = call;
  const isRunning = call.status === 'executing';
  const name = `${server} · ${tool}`;
  el.dataset.state = isRunning ? 'running' : 'waiting';
  const head = el.createDiv({ cls: 'errand-call-head' });
  head.createSpan({ cls: 'errand-call-name', text: name });
  const state = head.createSpan({ cls: 'errand-call-state', text: isRunning ? '' : 'Waiting ' });
  addTicking(state, 'since', startedAt ?? submittedAt);
  if (progress !== null) {
    el.createDiv({ cls: 'errand-call-progress', text: describeProgress(progress) });
  }
  const foot = el.createDiv({ cls: 'errand-actions' });
  addButton(foot, { text: 'Cancel', label: `Cancel ${name} ${place(call)}`.trim() }, () =>
    open.activity.cancel(call.id),
  );
  if (call.note !== null) addNoteLink(foot, open, { ...call, note: call.note });
}

function place({ note, line }: ActiveCall): string {
  return note === null ? '' : `of ${note}, line ${line}`;
}

function drawSession(el: HTMLElement, open: OpenPlugin, use: SessionUse): void {
  const { executed, limit, level } = use;
  const name = sessionName(use) ?? '';
  el.dataset.level = level;
  const count = limit === -1 ? `${executed} calls` : `${executed} of ${limit} calls`;
  const advice = { ok: '', near: ', nearly used up', reached: ', reset it to run more' }[level];
  el.createSpan({ text: `${name}: ${count}${advice}` });
  addButton(el, { text: 'Reset', label: `Reset the session of ${name}` }, () =>
    open.activity.sessions.reset(use.id),
  );
}
