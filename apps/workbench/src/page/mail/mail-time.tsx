import { Ago } from '../parts/time.tsx';

/** A time of a note, which may say anything. */
export function MailTime({ at }: { readonly at: string | undefined }) {
  const time = Date.parse(at ?? '');
  return Number.isNaN(time) ? null : <Ago at={time} />;
}
