import { useState } from 'preact/hooks';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

/** Makes a link that gives another browser access. */
export function AnotherBrowser() {
  const model = useWorkbench();
  const [link, setLink] = useState<string>();
  const make = async () => {
    const made = await model.attempt(() => api.link.$post());
    if (made !== undefined) setLink(made.link);
  };
  return (
    <section class="panel" aria-labelledby="browser-title">
      <header class="panel-head">
        <h2 id="browser-title">Another browser</h2>
      </header>
      <p>The link that Errand printed lets in one browser. For another one make a link here.</p>
      {link !== undefined && (
        <p class="copy-line" role="status">
          <code>{link}</code>
          <CopyButton text={link} what="link" />
        </p>
      )}
      <Button onClick={make}>{link === undefined ? 'Make a link' : 'Make another link'}</Button>
      <p class="soft small">It works once, on this machine, until Errand is restarted.</p>
    </section>
  );
}
