import type { Route } from '../model/route.ts';

export function NotesPlace({ route }: { readonly route: Route }) {
  return (
    <section>
      <h1>Notes</h1>
      <p>{route.item}</p>
    </section>
  );
}
