import { useState } from 'preact/hooks';
import { api, ask } from '../../model/api.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import { PlainText } from '../../parts/content/plain-text.tsx';

/** What a server wrote to its standard error last, asked for when somebody wants to see it. */
export function LastOutput({ server }: { readonly server: string }) {
  const workbench = useWorkbench();
  const [words, setWords] = useState<string | undefined>(undefined);
  const id = workbench.servers.value.find(({ name }) => name === server)?.id;
  if (id === undefined) return null;
  const read = async () => {
    const details = await workbench.attempt(() => ask(api.servers[':id'].$get({ param: { id } })));
    setWords(details?.lastWords);
  };
  return (
    <details onToggle={({ currentTarget }) => void (currentTarget.open && read())}>
      <summary>Last output</summary>
      {words === '' && <p>The server printed nothing.</p>}
      {words && <PlainText text={words} />}
    </details>
  );
}
