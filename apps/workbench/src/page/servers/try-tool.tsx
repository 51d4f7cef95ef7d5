import { Button, useFocusOnRefusal } from '@errand/parts/controls';
import { type Params, SchemaForm, useSchemaForm } from '@errand/parts/schema-form';
import { useEffect, useState } from 'preact/hooks';
import type { Server, Tool } from '../../contract.ts';
import { api } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ToolAnswer } from './tool-answer.tsx';
import './try-tool.css';
import { useToolCall } from './use-tool-call.ts';

export interface TryToolProps {
  readonly server: Server;
  readonly tool: Tool;
}

/** A form that calls a tool, or shows the call as a block. */
export function TryTool({ server, tool }: TryToolProps) {
  const model = useWorkbench();
  const form = useSchemaForm(tool.inputSchema);
  const element = useFocusOnRefusal(form.refusals);
  const [block, setBlock] = useState<string>();
  // The form may open below the visible area.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  const call = useToolCall(server.id, form.refuse);
  const withParams = (use: (params: Params) => void) => {
    const params = form.submit();
    if (params !== undefined) use(params);
  };
  const showBlock = async (params: Params) => {
    const request = { param: { id: server.id }, json: { tool: tool.name, params } };
    const answer = await model.attempt(() => api.servers[':id'].block.$post(request));
    if (answer !== undefined) setBlock(answer.text);
  };
  const isJson = form.draft.kind === 'json';
  return (
    <div class="try-tool">
      <form
        ref={element}
        noValidate
        aria-label={`Try ${tool.name}`}
        onSubmit={(event) => {
          event.preventDefault();
          withParams((params) => call.run(tool.name, params));
        }}
        onInput={() => setBlock(undefined)}
      >
        <SchemaForm
          schema={tool.inputSchema}
          draft={form.draft}
          mistakes={form.mistakes}
          onChange={form.setDraft}
        />
        {form.isEmpty && <p class="soft">It takes no parameters.</p>}
        <div class="try-actions">
          <Button look="primary" icon="play" type="submit" isBusy={call.isRunning}>
            Run
          </Button>
          {call.isRunning && (
            <Button icon="stop" onClick={call.cancel}>
              Cancel
            </Button>
          )}
          <Button onClick={() => withParams((params) => void showBlock(params))}>As a block</Button>
          {!form.isEmpty && (
            <Button look="quiet" onClick={isJson ? form.showFields : form.showJson}>
              {isJson ? 'Fill in a form' : 'Write as JSON'}
            </Button>
          )}
        </div>
      </form>
      {block !== undefined && (
        <figure class="block-text">
          <figcaption>
            <span>Paste this into a note</span>
            <CopyButton text={block} what="block" />
          </figcaption>
          <pre>{block}</pre>
        </figure>
      )}
      <ToolAnswer call={call} />
    </div>
  );
}
