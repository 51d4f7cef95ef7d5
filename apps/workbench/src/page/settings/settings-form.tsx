import type { SettingsState } from '../../contract.ts';
import { Button } from '../parts/button.tsx';
import { ChoiceField, LimitField, SettingField } from './setting-field.tsx';
import { useSettingsForm } from './use-settings-form.ts';

/** What holds for all notes and servers of the vault. */
export function SettingsForm({ settings }: { readonly settings: SettingsState }) {
  const form = useSettingsForm(settings);
  return (
    <form
      class="settings-form"
      aria-label="Settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <fieldset class="panel">
        <legend>Calls</legend>
        <SettingField
          form={form}
          name="mcpGlobalTimeout"
          label="Time for a call"
          hint="A call that takes longer is ended. A server can have its own time in Servers."
          unit="seconds"
          isNumber
        />
        <LimitField
          form={form}
          name="mcpConcurrentLimit"
          label="Calls at once"
          hint="More than these wait for their turn."
        />
        <LimitField
          form={form}
          name="mcpSessionLimit"
          label="Calls of a session"
          hint="A note that made so many is stopped until you reset its session in Calls."
        />
      </fieldset>
      <fieldset class="panel">
        <legend>Notes</legend>
        <ChoiceField
          form={form}
          name="onError"
          label="When a call fails"
          hint="What becomes of the answer that an earlier run left below the block."
          choices={[
            ['replace', 'Write the error in place of the old answer'],
            ['keep', 'Keep the old answer'],
          ]}
        />
        <SettingField
          form={form}
          name="attachmentsFolder"
          label="Folder for attachments"
          hint="Pictures and large answers are stored there, inside the vault."
        />
      </fieldset>
      <fieldset class="panel">
        <legend>Log</legend>
        <ChoiceField
          form={form}
          name="logParameters"
          label="Parameters of calls"
          hint="They may hold what others should not read; the log is a file in the vault."
          choices={[
            ['false', 'Keep them out of the log'],
            ['true', 'Write them to the log'],
          ]}
        />
        <SettingField
          form={form}
          name="logDays"
          label="Keep calls for"
          hint="Older ones are removed from the log."
          unit="days"
          isNumber
        />
        <SettingField
          form={form}
          name="logMegabytes"
          label="Size of the log"
          hint="Beyond it the oldest calls are removed."
          unit="megabytes"
          isNumber
        />
      </fieldset>
      <footer class="settings-save">
        <Button
          type="submit"
          look="primary"
          isBusy={form.state === 'saving'}
          disabled={form.state === 'same' || form.state === 'saved'}
        >
          Save
        </Button>
        {form.state === 'changed' && <Button onClick={form.discard}>Discard</Button>}
        <span class="soft" role="status">
          {words[form.state]}
        </span>
      </footer>
    </form>
  );
}

const words = {
  same: 'Everything is saved.',
  changed: 'Not saved yet.',
  saving: 'Saving …',
  saved: 'Saved.',
} as const;
