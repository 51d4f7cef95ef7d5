import { Button } from '@errand/parts/controls';
import type { SettingsState } from '../../contract.ts';
import { ChoiceField, LimitField, SettingField } from './setting-field.tsx';
import { useSettingsForm } from './use-settings-form.ts';

/** The settings of the vault. */
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
          hint="Longer calls are cancelled. Servers can override this."
          unit="seconds"
          isNumber
        />
        <LimitField
          form={form}
          name="mcpConcurrentLimit"
          label="Calls at once"
          hint="Further calls are queued."
        />
        <LimitField
          form={form}
          name="mcpSessionLimit"
          label="Calls of a session"
          hint="At the limit, further calls of a note are refused until you reset its session in Calls."
        />
        <ChoiceField
          form={form}
          name="connect"
          label="Connect to servers"
          hint="Programs that stay open then notice at once when a server fails."
          choices={[
            ['at-start', 'When a program has started'],
            ['on-use', 'When a call needs them'],
          ]}
        />
      </fieldset>
      <fieldset class="panel">
        <legend>Notes</legend>
        <ChoiceField
          form={form}
          name="onError"
          label="When a call fails"
          hint="What happens to the answer of the previous run."
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
          hint="They may contain private data; the log is a file in the vault."
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
          hint="Above this, the oldest calls are removed."
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
