import { findClearSecrets, splitScheme } from '@errand/host';
import type { Pair, ServerDraft } from '@errand/workspace/servers';
import { SecretComponent, Setting } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { linesOf, readLines, type Separator } from '../../settings/value-lines.ts';
import { showFailure } from '../notices.ts';
import { Field } from './field.ts';
import type { FormModal } from './form-modal.ts';

export interface LineOptions {
  readonly field: 'env' | 'headers';
  readonly separator: Separator;
  readonly name: string;
  readonly desc: string;
  readonly placeholder: string;
}

/** Names and values as lines. A value that looks like a secret can be kept as one; a secret can be put in. */
export function addLines(
  form: FormModal<ServerDraft>,
  el: HTMLElement,
  controller: SettingsController,
  options: LineOptions,
): void {
  const { field: name, separator } = options;
  const field = form.add(name, new Field(el, options));
  const offers = el.createDiv();
  const write = (pairs: readonly Pair[]) => {
    field.setValue(linesOf(pairs, separator));
    take(pairs);
  };
  const take = (pairs: readonly Pair[]) => {
    form.change({ [name]: pairs });
    drawOffers();
  };
  const drawOffers = () => {
    offers.empty();
    const pairs = form.draft[name];
    const values = Object.fromEntries(pairs.map((pair) => [pair.name, pair.value]));
    for (const clear of findClearSecrets(values)) offer(clear, values[clear] ?? '');
  };
  const offer = (clear: string, value: string) => {
    const keep = async () => {
      const { scheme, rest } = splitScheme(value);
      const secret = await controller.keepSecret(`${form.draft.name}-${clear}`, rest);
      write(
        form.draft[name].map((pair) =>
          pair.name === clear ? { ...pair, value: `${scheme}\${secret:${secret}}` } : pair,
        ),
      );
    };
    new Setting(offers)
      .setDesc(`${clear} is written in the clear, and the settings travel with the vault.`)
      .addButton((button) =>
        button
          .setButtonText(`Keep ${clear} as a secret`)
          .onClick(() => void keep().catch(showFailure)),
      );
  };
  field.area({
    ...options,
    value: linesOf(form.draft[name], separator),
    onInput: (text) => take(readLines(text, separator)),
  });
  new Setting(el)
    .setName('Use a secret')
    .setDesc("Adds a line with one of Obsidian's secrets by its name. Its value is not written.")
    .addComponent((parent) =>
      new SecretComponent(form.app, parent).onChange((secret) => {
        if (secret !== '') write([...form.draft[name], lineWith(secret, separator)]);
      }),
    );
  drawOffers();
}

function lineWith(secret: string, separator: Separator): Pair {
  if (separator === ':') return { name: 'Authorization', value: `Bearer \${secret:${secret}}` };
  return { name: secret.toUpperCase().replaceAll('-', '_'), value: `\${secret:${secret}}` };
}
