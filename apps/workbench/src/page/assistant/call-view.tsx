import { duration } from '@errand/document/display';
import { Badge, Parameters } from '@errand/parts/controls';
import type { CallContent, Failure, TurnCall } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { hrefTo } from '../model/route.ts';
import { fileAddress } from '../notes/read/note-addresses.ts';
import { CallCard } from '../parts/call-card/call-card.tsx';
import { ProgressBar } from '../parts/call-card/progress-bar.tsx';
import { ContentView } from '../parts/content/content-view.tsx';
import { imageAddresses } from '../parts/content/image-addresses.ts';
import { PlainText } from '../parts/content/plain-text.tsx';
import { Elapsed } from '../parts/time.tsx';
import { Approval } from './approval.tsx';
import { describeCall } from './describe-turn.ts';

export interface CallViewProps {
  readonly call: TurnCall;
  readonly onAnswer: (call: string, isAllowed: boolean) => Promise<void>;
}

/** A call that a model asked for: what it sends, whether it may, and what came back. */
export function CallView({ call, onAnswer }: CallViewProps) {
  const { server, tool, params, status, progress, content, error } = call;
  const isAsked = status === 'waiting';
  return (
    <CallCard
      label={`Call: ${server ?? 'no server'} ${tool}`}
      server={server}
      tool={tool}
      head={<State call={call} />}
    >
      <Parameters params={params} isWhole={isAsked} />
      {isAsked && <Approval call={call} onAnswer={onAnswer} />}
      {status === 'executing' && progress !== null && <ProgressBar {...progress} />}
      {error && <Failed call={call} error={error} />}
      {content && !error && <Answer id={call.id} content={content} />}
    </CallCard>
  );
}

interface FailedProps {
  readonly call: TurnCall;
  readonly error: Failure;
}

function Failed({ call: { status }, error }: FailedProps) {
  const { code } = error;
  const message = inPage(error);
  // Denied and cancelled calls are not shown as errors.
  if (status === 'denied' || status === 'cancelled') return <p class="small soft">{message}</p>;
  return (
    <div class="call-result is-error">
      <PlainText text={message} />
      <code>{code}</code>
      {code === 'session_limit' && <p>A new conversation starts at zero.</p>}
    </div>
  );
}

function State({ call }: { readonly call: TurnCall }) {
  const { label, tone, isLive } = describeCall(call);
  return (
    <span class="call-state">
      <Badge tone={tone} isLive={isLive}>
        {label}
      </Badge>
      {call.status === 'executing' && call.startedAt !== null && (
        <span class="small soft" aria-hidden="true">
          <Elapsed since={call.startedAt} />
        </span>
      )}
      {call.status === 'success' && call.durationMs !== null && (
        <span class="small soft">{duration(call.durationMs)}</span>
      )}
    </span>
  );
}

function Answer({ id, content }: { readonly id: string; readonly content: CallContent }) {
  const { type, text, attachments, isCut, files = [] } = content;
  return (
    <details class="call-result" open={isShort(content)}>
      <summary class="small soft">Answer</summary>
      <ContentView type={type} text={text} images={imageAddresses(attachments)} />
      {text === '' && attachments.length === 0 && <p class="small soft">The answer is empty.</p>}
      {files.map(({ path, label }) => (
        <p key={path} class="small">
          <a href={fileAddress(path)} target="_blank" rel="noopener">
            {`Open ${label}`}
          </a>
        </p>
      ))}
      {isCut && (
        <p class="small soft">
          Truncated. <a href={hrefTo('calls', id)}>Open the call</a>
        </p>
      )}
    </details>
  );
}

/** Answers of about a paragraph are expanded at first. */
function isShort({ text, attachments }: CallContent): boolean {
  return attachments.length <= 1 && text.length <= 600 && text.split('\n').length <= 12;
}
