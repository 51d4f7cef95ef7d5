import { lazily } from '../parts/lazily.tsx';
import './model-form.css';

/** The form that sets up a language model, loaded when it is first needed. */
export const LazyModelForm = lazily(async () => (await import('./model-form.tsx')).ModelForm);
