import { resultParts } from '@errand/document/display';
import { adviceForCode } from '@errand/host';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Result } from '../../../contract.ts';
import { adviceInPage } from '../../model/advice.ts';
import { api } from '../../model/api.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import { ContentView } from '../../parts/content/content-view.tsx';
import { PlainText } from '../../parts/content/plain-text.tsx';
import type { Addresses } from '../../parts/content/render-markdown.ts';
import { fileAddress } from '../read/note-addresses.ts';
import { Prose } from '../read/prose.tsx';
import { renderProse } from '../read/render-note.ts';
import './result-view.css';

export interface ResultViewProps {
  readonly result: Result;
  readonly server: string | null;
  /** Whether the author wants it collapsed at first. */
  readonly isFolded: boolean;
  readonly addresses: Addresses;
}

/** The result of a block, rendered by its type. */
export function ResultView({ result, server, isFolded, addresses }: ResultViewProps) {
  if (result.status === 'error') return <ErrorView result={result} server={server} />;
  const content = <Content result={result} addresses={addresses} />;
  if (!isFolded) return <div class="call-result">{content}</div>;
  return (
    <details class="call-result">
      <summary>Answer</summary>
      {content}
    </details>
  );
}

interface ErrorViewProps {
  readonly result: Result;
  readonly server: string | null;
}

function ErrorView({ result: { code, payload }, server }: ErrorViewProps) {
  // Notes store no advice, because it depends on the program.
  const advice = adviceForCode(code ?? '', server === null ? {} : { server });
  return (
    <div class="call-result is-error">
      <PlainText text={payload} />
      {advice.length > 0 && <p>{adviceInPage(advice).join(' ')}</p>}
      {code !== null && <code>{code}</code>}
      {code?.startsWith('server_') && server !== null && <LastOutput server={server} />}
    </div>
  );
}

/** The last lines of a server's standard error, loaded when opened. */
function LastOutput({ server }: { readonly server: string }) {
  const workbench = useWorkbench();
  const [output, setOutput] = useState<string | undefined>(undefined);
  const id = workbench.servers.value.find(({ name }) => name === server)?.id;
  if (id === undefined) return null;
  const read = async () => {
    const details = await workbench.attempt(() => api.servers[':id'].$get({ param: { id } }));
    setOutput(details?.lastWords);
  };
  return (
    <details onToggle={({ currentTarget }) => void (currentTarget.open && read())}>
      <summary>Last output</summary>
      {output === '' && <p>The server printed nothing.</p>}
      {output && <PlainText text={output} />}
    </details>
  );
}

type ContentProps = Pick<ResultViewProps, 'result' | 'addresses'>;

function Content({ result, addresses }: ContentProps) {
  const { type, form, payload } = result;
  if (form !== 'fence') return <Live text={payload} addresses={addresses} />;
  const { text, pictures, files } = resultParts(result);
  const whole = files.find(({ label }) => label.startsWith('all of it'))?.path;
  return (
    <>
      {type === 'json' && whole !== undefined ? (
        <WholeJson file={whole} beginning={text} />
      ) : (
        <ContentView type={type ?? 'text'} text={text} images={pictures.map(fileAddress)} />
      )}
      {payload === '' && <p class="soft small">The answer is empty.</p>}
      {files.length > 0 && (
        <ul class="result-files small">
          {files.map(({ path, label }) => (
            <li key={path}>
              <a href={fileAddress(path)} target="_blank" rel="noopener">
                {`Open ${label}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface WholeJsonProps {
  /** The path of the file that has all of it. */
  readonly file: string;
  readonly beginning: string;
}

/** JSON that is too large for the note, from its file; its beginning until that is loaded, or when it cannot be. */
function WholeJson({ file, beginning }: WholeJsonProps) {
  const [text, setText] = useState(beginning);
  useEffect(() => {
    const leaving = new AbortController();
    readWhole(fileAddress(file), leaving.signal).then(setText, () => {});
    return () => leaving.abort();
  }, [file]);
  return <ContentView type="json" text={text} />;
}

async function readWhole(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, { signal });
  const length = Number(response.headers.get('content-length'));
  if (!response.ok || length > 2_000_000) throw new Error('It is missing, or too large to show.');
  return response.text();
}

/** A result that its author wants rendered as Markdown. */
function Live({ text, addresses }: { readonly text: string; readonly addresses: Addresses }) {
  const html = useMemo(() => renderProse(text), [text]);
  return <Prose html={html} addresses={addresses} renderBlock={nothing} />;
}

const nothing = () => null;
