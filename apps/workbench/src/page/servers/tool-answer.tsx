import { duration } from '@errand/document/display';
import { Badge } from '@errand/parts/controls';
import type { CallAnswer } from '../../contract.ts';
import { inPage } from '../model/advice.ts';
import { ProgressBar } from '../parts/call-card/progress-bar.tsx';
import { ContentView } from '../parts/content/content-view.tsx';
import { imageAddresses } from '../parts/content/image-addresses.ts';
import { Elapsed } from '../parts/time.tsx';
import { LastOutput } from './last-output.tsx';
import './tool-answer.css';
import type { ToolCall } from './use-tool-call.ts';

/** The progress and answer of a test call. */
export function ToolAnswer({ call }: { readonly call: ToolCall }) {
  const { since, progress, answer, failure, wasCancelled } = call;
  return (
    <div class="tool-answer" role="status">
      {since !== undefined && (
        <p class="soft">
          Running … <Elapsed since={since} />
        </p>
      )}
      {since !== undefined && progress && <ProgressBar {...progress} />}
      {wasCancelled && <p class="soft">Cancelled. Changes the tool has already made remain.</p>}
      {failure && <p class="field-error">{failure.message}</p>}
      {answer && <Answer answer={answer} />}
    </div>
  );
}

function Answer({ answer }: { readonly answer: CallAnswer }) {
  const { status, durationMs, attempts, content, error } = answer;
  const isGood = status === 'success';
  return (
    <>
      <p class="tool-outcome">
        <Badge tone={isGood ? 'good' : 'bad'}>{words[status]}</Badge>
        <span class="small soft">
          {`after ${duration(durationMs)}${attempts > 1 ? `, ${attempts} attempts` : ''}`}
        </span>
      </p>
      {error && <p class="field-error">{inPage(error)}</p>}
      {error?.lastWords && <LastOutput text={error.lastWords} />}
      {content && (
        <div class="tool-content">
          <ContentView
            type={content.type}
            text={content.text}
            images={imageAddresses(content.attachments)}
          />
          {content.isCut && (
            <p class="small soft">Truncated: the rest of the answer is not shown.</p>
          )}
        </div>
      )}
    </>
  );
}

const words: Readonly<Record<CallAnswer['status'], string>> = {
  success: 'Answered',
  error: 'Failed',
  timeout: 'Timed out',
  cancelled: 'Cancelled',
};
