import { type ServerForm, serverMistake } from '@errand/workspace/forms';
import { ApiError } from '../http/api-error.ts';

/** Does what may find a mistake in a form, and says at which of its fields it is. */
export async function explainAtField<Result>(
  form: ServerForm,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const mistake = serverMistake(error, form.kind);
    if (mistake === undefined) throw error;
    const { field, message } = mistake;
    throw new ApiError('invalid_input', message, { fields: { [field]: message } });
  }
}
