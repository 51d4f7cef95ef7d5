import { resultParts } from '@errand/document/display';
import { adviceForCode } from '@errand/host';
import { useMemo } from 'preact/hooks';
import type { Result } from '../../../contract.ts';
import { adviceInPage } from '../../model/advice.ts';
import { ContentView } from '../../parts/content/content-view.tsx';
import { PlainText } from '../../parts/content/plain-text.tsx';
import type { Addresses } from '../../parts/content/render-markdown.ts';
import { fileAddress } from '../read/note-addresses.ts';
import { Prose } from '../read/prose.tsx';
import { renderProse } from '../read/render-note.ts';
import { LastOutput } from './last-output.tsx';
import './result-view.css';

export interface ResultViewProps {
  readonly result: Result;
  readonly server: string | null;
  /** The author asked for it to be opened by hand. */
  readonly isFolded: boolean;
  readonly addresses: Addresses;
}

/** The answer below a block, by its type. */
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
  // A note stores what happened, not what to do in one program.
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

type ContentProps = Pick<ResultViewProps, 'result' | 'addresses'>;

function Content({ result, addresses }: ContentProps) {
  const { type, form, payload } = result;
  if (form !== 'fence') return <Live text={payload} addresses={addresses} />;
  const { text, pictures, files } = resultParts(result);
  return (
    <>
      <ContentView type={type ?? 'text'} text={text} images={pictures.map(fileAddress)} />
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

/** Markdown that its author asked to be live. */
function Live({ text, addresses }: { readonly text: string; readonly addresses: Addresses }) {
  const html = useMemo(() => renderProse(text), [text]);
  return <Prose html={html} addresses={addresses} renderBlock={nothing} />;
}

const nothing = () => null;
