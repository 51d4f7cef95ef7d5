import { HostError } from '@errand/host';

/** What hooks or the mailroom refuse is no defect: it goes to the one who asked, as a failure with its reason. */
export async function explainRefusal(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    const isRefusal =
      error instanceof Error && ['HooksError', 'MailroomError'].includes(error.name);
    if (!isRefusal) throw error;
    throw new HostError('settings_invalid', error.message, {}, { cause: error });
  }
}
