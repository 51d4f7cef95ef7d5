import { proposeName, type ServerDraft } from '@errand/workspace/servers';
import type { SettingsController } from '../../settings/settings-controller.ts';
import type { Field } from './field.ts';
import type { FormModal } from './form-modal.ts';
import { addLines } from './line-fields.ts';

type Form = FormModal<ServerDraft>;

/** The fields that the chosen way needs; the others keep what was typed into them. */
export function drawServerFields(
  form: Form,
  el: HTMLElement,
  controller: SettingsController,
): void {
  const { kind } = form.draft;
  form.addChoice(el, 'kind', 'How it is reached', {
    command: 'A command on this computer',
    image: 'A Docker image',
    url: 'A URL',
  });
  if (kind === 'command') drawCommand(form, el);
  if (kind === 'image') drawImage(form, el);
  if (kind === 'url') drawUrl(form, el);
  const name = form.addText(el, 'name', {
    name: 'Name',
    desc: 'Also the language of its blocks in notes. Letters, digits, "-" and "_".',
    placeholder: 'notes',
  });
  proposeNames(form, controller, name);
  if (kind === 'url') addLines(form, el, controller, headerLines);
  else addLines(form, el, controller, environmentLines);
  drawMore(form, el.createEl('details'));
}

const environmentLines = {
  field: 'env',
  separator: '=',
  name: 'Environment',
  desc: 'One variable in each line.',
  placeholder: 'NAME=value',
} as const;

const headerLines = {
  field: 'headers',
  separator: ':',
  name: 'Headers',
  desc: 'One in each line, sent with every request.',
  placeholder: 'Authorization: Bearer …',
} as const;

function drawCommand(form: Form, el: HTMLElement): void {
  form.addText(el, 'command', {
    name: 'Command',
    desc: 'The program and its arguments; quotes keep words together.',
    placeholder: 'npx -y some-server',
  });
}

function drawImage(form: Form, el: HTMLElement): void {
  form.addText(el, 'image', {
    name: 'Image',
    desc: 'Its container is started and removed by Errand.',
    placeholder: 'mcp/weather:1',
  });
  form.addChoice(el, 'imageTransport', 'Transport', {
    stdio: 'Standard input and output',
    http: 'HTTP',
    sse: 'SSE (older)',
  });
  if (form.draft.imageTransport === 'stdio') return;
  form.addText(el, 'port', { name: 'Port in the container', placeholder: '8080' });
  form.addText(el, 'outsidePort', {
    name: 'Port on this computer',
    desc: 'Empty: Docker chooses a free one.',
  });
  form.addText(el, 'path', {
    name: 'Path',
    desc: 'Of its address, when it is not the usual one.',
    placeholder: '/mcp',
  });
}

function drawUrl(form: Form, el: HTMLElement): void {
  form.addText(el, 'url', { name: 'Address', placeholder: 'https://host.example/mcp' });
  form.addChoice(el, 'urlTransport', 'Transport', { http: 'HTTP', sse: 'SSE (older)' });
}

function drawMore(form: Form, el: HTMLElement): void {
  el.createEl('summary', { text: 'More' });
  if (form.draft.kind === 'command') {
    const desc = 'Where it runs, seen from the vault. Empty: an empty folder outside it.';
    form.addText(el, 'cwd', { name: 'Folder', desc });
  }
  if (form.draft.kind === 'image') {
    const desc = "When it is not the image's own.";
    form.addText(el, 'inside', { name: 'Command in the container', desc });
    form.addText(el, 'memory', { name: 'Memory', desc: 'At most, for example 256m.' });
  }
  const desc = 'Empty: as for all servers.';
  form.addText(el, 'timeout', { name: 'Seconds a call may take', desc });
}

/** Until a person names it, a server is named after what it is. */
function proposeNames(form: Form, controller: SettingsController, name: Field): void {
  if (form.draft.name !== '' && !form.isProposed) return;
  form.onChange = () => {
    if (form.isTouched('name')) return;
    const taken = controller.settings.mcpServers.map((server) => server.name);
    const proposed = proposeName(form.draft, taken);
    if (proposed === form.draft.name) return;
    form.propose({ name: proposed });
    name.setValue(proposed);
  };
}
