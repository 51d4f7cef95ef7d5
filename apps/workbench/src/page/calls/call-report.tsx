import { duration } from '@errand/document/display';
import type { CallContent, CallDetails, PastCall } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { ContentView } from '../parts/content/content-view.tsx';
import { JsonTree } from '../parts/content/json-tree.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Ago } from '../parts/time.tsx';
import { adviceFor, sourceLabels } from './call-labels.ts';
import { NoteLink } from './note-link.tsx';

/** The details of a past call. */
export function CallReport({ details }: { readonly details: CallDetails }) {
  const { call, params, content } = details;
  return (
    <>
      {call.error && <Failed error={call.error} />}
      <Facts call={call} />
      <section class="panel" aria-labelledby="params-title">
        <header class="panel-head">
          <h2 id="params-title">Parameters</h2>
          {params && <CopyButton text={JSON.stringify(params, undefined, 2)} what="parameters" />}
        </header>
        {params === null ? (
          <NotKept what="parameters" />
        ) : Object.keys(params).length === 0 ? (
          <p class="soft">No parameters.</p>
        ) : (
          <JsonTree value={params} />
        )}
      </section>
      <section class="panel" aria-labelledby="answer-title">
        <header class="panel-head">
          <h2 id="answer-title">Answer</h2>
          {content && content.text !== '' && <CopyButton text={content.text} what="answer" />}
        </header>
        <Answer call={call} content={content} isKept={params !== null} />
      </section>
    </>
  );
}

function Failed({ error }: { readonly error: NonNullable<PastCall['error']> }) {
  const advice = adviceFor(error.code);
  return (
    <div class="failed" role="note" aria-label="Why it failed">
      <p class="failed-message">{error.message}</p>
      {advice && <p>{advice}</p>}
      <p class="small">
        Code: <code>{error.code}</code>
      </p>
    </div>
  );
}

function Facts({ call }: { readonly call: PastCall }) {
  const { servers } = useWorkbench();
  const { note, server, source, attempts, submittedAt, resultBytes } = call;
  const known = servers.value.find(({ name }) => name === server);
  return (
    <dl class="facts">
      <dt>Server</dt>
      <dd>
        {known ? <a href={hrefTo('servers', known.id)}>{server}</a> : server}{' '}
        <a class="small" href={hrefTo('calls', '', { server })}>
          Its calls
        </a>
      </dd>
      <dt>Note</dt>
      <dd>
        <NoteLink note={note} call={call} />{' '}
        {note !== null && (
          <a class="small" href={hrefTo('calls', '', { note })}>
            Its calls
          </a>
        )}
      </dd>
      <dt>Called by</dt>
      <dd>{sourceLabels[source] ?? source}</dd>
      <dt>Called</dt>
      <dd>
        {new Date(submittedAt).toLocaleString()}{' '}
        <span class="soft">
          (<Ago at={submittedAt} />)
        </span>
      </dd>
      <dt>Duration</dt>
      <dd>
        {duration(call.durationMs)}
        {attempts > 1 && `, ${attempts} attempts`}
      </dd>
      {resultBytes !== null && (
        <>
          <dt>Size</dt>
          <dd>{`${resultBytes.toLocaleString()} bytes`}</dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{call.id}</code>
      </dd>
    </dl>
  );
}

interface AnswerProps {
  readonly call: PastCall;
  readonly content: CallContent | null;
  readonly isKept: boolean;
}

function Answer({ call, content, isKept }: AnswerProps) {
  if (content === null) {
    if (!isKept) return <NotKept what="answer" />;
    return <p class="soft">{call.status === 'success' ? 'The answer is empty.' : 'No answer.'}</p>;
  }
  const images = content.attachments.filter(({ mimeType }) => mimeType.startsWith('image/'));
  const others = content.attachments.filter((attachment) => !images.includes(attachment));
  return (
    <>
      <ContentView
        type={content.type}
        text={content.text}
        images={images.map(({ mimeType, data }) => `data:${mimeType};base64,${data}`)}
      />
      {content.isCut && <p class="soft small">Truncated: this is the first 2 MB of the answer.</p>}
      {others.map(({ mimeType, data }, index) => (
        <p key={`${mimeType} ${data.length}`}>
          <a href={`data:application/octet-stream;base64,${data}`} download={`answer-${index + 1}`}>
            Save the file
          </a>{' '}
          <span class="soft">({mimeType})</span>
        </p>
      ))}
      {content.text === '' && content.attachments.length === 0 && (
        <p class="soft">The answer is empty.</p>
      )}
    </>
  );
}

function NotKept({ what }: { readonly what: 'parameters' | 'answer' }) {
  return (
    <p class="soft">
      {what === 'answer' ? 'The answer is' : 'The parameters are'} kept for recent calls only, and
      only while Errand runs. Older calls are known by their line in the log.
    </p>
  );
}
