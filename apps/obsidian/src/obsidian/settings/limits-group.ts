import { readDraft, type SettingName, textOf } from '@errand/workspace/settings';
import { findMistakes } from '../../settings/find-mistakes.ts';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { showFailure } from '../notices.ts';
import { Field } from './field.ts';
import { liveRow } from './live-row.ts';
import type { SettingsGroup, SettingsRow } from './settings-group.ts';
import type { TypedValues } from './typed-values.ts';

/** What holds for all servers. */
export function limitsGroups(
  controller: SettingsController,
  typed: TypedValues,
): readonly SettingsGroup[] {
  const row = (name: SettingName, label: string, desc: string) =>
    textRow(controller, typed, { name, label, desc });
  return [
    {
      heading: 'Limits',
      rows: [
        row(
          'mcpGlobalTimeout',
          'Seconds a call may take',
          'From 1 to 300; a block or a server may say otherwise.',
        ),
        row('mcpConcurrentLimit', 'Calls at once', 'The others wait. -1: no limit.'),
        row(
          'mcpSessionLimit',
          'Calls of one session',
          'A session is a note since it was opened, or a conversation. -1: no limit.',
        ),
        choiceRow(controller, 'connect', 'Connect to servers', {
          'at-start': 'When Obsidian has started',
          'on-use': 'When a call needs them',
        }),
      ],
    },
    {
      heading: 'Answers and log',
      rows: [
        choiceRow(controller, 'onError', 'When a call fails', {
          replace: 'Write the error in place of the old answer',
          keep: 'Keep the old answer',
        }),
        row(
          'attachmentsFolder',
          'Folder for attachments',
          'Inside the vault, for pictures and large answers; used from the next start on.',
        ),
        choiceRow(controller, 'logParameters', 'Parameters of calls', {
          false: 'Keep them out of the log',
          true: 'Write them to the log',
        }),
        row('logDays', 'Days to keep calls', 'Older ones are removed from the log.'),
        row('logMegabytes', 'Megabytes of the log', 'Beyond it the oldest calls are removed.'),
      ],
    },
  ];
}

interface TextRow {
  readonly name: SettingName;
  readonly label: string;
  readonly desc: string;
}

/** A value that is stored when it is right and the field is left; until then it is kept as typed. */
function textRow(
  controller: SettingsController,
  typed: TypedValues,
  { name, label, desc }: TextRow,
): SettingsRow {
  const stored = () => textOf(name, controller.settings[name]);
  return {
    kind: 'row',
    name: label,
    desc,
    draw: (setting) => {
      const field = new Field(setting, { name: label, desc });
      const news = setting.infoEl.createDiv({ cls: 'errand-field-news', attr: { role: 'status' } });
      const show = () => {
        const { text, basis } = typed.of(name) ?? { text: stored(), basis: stored() };
        field.setMistake(mistakeIn(name, text));
        news.empty();
        if (basis === stored() || text === stored()) return;
        news.createSpan({ text: `Changed elsewhere to ${stored()} meanwhile. ` });
        const take = news.createEl('button', { text: 'Take it' });
        // The field keeps the focus: leaving it would store what was typed.
        take.addEventListener('mousedown', (event) => event.preventDefault());
        take.addEventListener('click', () => {
          typed.forget(name);
          field.setValue(stored());
          show();
        });
      };
      const store = () => {
        const { text } = typed.of(name) ?? {};
        if (text === undefined || mistakeIn(name, text) !== undefined) return;
        const { change } = readDraft({ [name]: text });
        const saved = controller.save((all) => ({ ...all, ...change }));
        // What could not be stored stays as it was typed.
        const forget = () => {
          if (typed.of(name)?.text === text) typed.forget(name);
        };
        void saved.then(forget).catch(showFailure);
      };
      field.text({
        name: label,
        value: typed.of(name)?.text ?? stored(),
        onInput: (text) => {
          typed.keep(name, text, typed.of(name)?.basis ?? stored());
          show();
        },
      });
      const { inputEl } = field;
      inputEl?.addEventListener('focus', () => typed.begin(name));
      inputEl?.addEventListener('blur', () => {
        store();
        typed.end(name);
        controller.tell();
      });
      inputEl?.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') store();
      });
      show();
      const stop = controller.onChange(() => {
        if (typed.of(name) === undefined) field.setValue(stored());
        show();
      });
      return () => {
        stop();
        // A field that is taken away is not always left before.
        store();
        typed.end(name);
      };
    },
  };
}

function mistakeIn(name: SettingName, text: string): string | undefined {
  const { change, errors } = readDraft({ [name]: text });
  return errors[name] ?? findMistakes((all) => ({ ...all, ...change }), name)?.[name];
}

function choiceRow(
  controller: SettingsController,
  name: SettingName,
  label: string,
  choices: Readonly<Record<string, string>>,
): SettingsRow {
  const look = () => textOf(name, controller.settings[name]);
  return liveRow(controller, label, look, (setting, value) => {
    setting.addDropdown((dropdown) => {
      dropdown.selectEl.setAttr('aria-label', label);
      dropdown
        .addOptions(choices)
        .setValue(value)
        .onChange((wanted) => {
          const { change } = readDraft({ [name]: wanted });
          const saved = controller.save((all) => ({ ...all, ...change }));
          void saved.catch(showFailure).finally(() => controller.tell());
        });
    });
  });
}
