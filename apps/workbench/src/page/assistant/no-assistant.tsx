import { focusHeading } from '../parts/focus-heading.ts';
import { LazyModelForm } from './lazy-model-form.ts';
import './no-assistant.css';

/** Sets up the first language model. */
export function NoAssistant() {
  return (
    <section class="no-assistant" aria-labelledby="no-assistant-title">
      <h2 id="no-assistant-title">No language model is set up yet</h2>
      <p>
        With one you can ask questions here and in notes, and it may use the tools of your servers.
        You can add others in Settings.
      </p>
      <div class="panel">
        <LazyModelForm onStored={focusHeading} />
      </div>
    </section>
  );
}
