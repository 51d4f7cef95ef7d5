import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../../contract.ts';
import { failureOf } from '../model/api.ts';
import type { ModelForm, ModelFormProps } from './model-form.tsx';
import './model-form.css';

/** The form that sets up a language model, loaded when it is first needed. */
export function LazyModelForm(props: ModelFormProps) {
  const [Form, setForm] = useState<typeof ModelForm>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    import('./model-form.tsx').then(
      (loaded) => setForm(() => loaded.ModelForm),
      (error) => setFailure(failureOf(error)),
    );
  }, []);
  if (failure !== undefined) return <p class="field-error">{failure.message}</p>;
  return Form === undefined ? <p class="soft">Loading …</p> : <Form {...props} />;
}
