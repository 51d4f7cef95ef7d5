import { Badge, Button, Icon, Parameters } from '@errand/parts/controls';
import { type CardView, describeCard } from '@errand/workspace/cards';
import { useCallback, useState } from 'preact/hooks';
import type { Block, Failure, Time } from '../../../contract.ts';
import { inPage } from '../../model/advice.ts';
import { useWorkbench } from '../../model/use-workbench.ts';
import { CallCard } from '../../parts/call-card/call-card.tsx';
import { ProgressBar } from '../../parts/call-card/progress-bar.tsx';
import type { Addresses } from '../../parts/content/render-markdown.ts';
import { Elapsed } from '../../parts/time.tsx';
import type { OpenNote } from '../model/open-note.ts';
import { EditedDialog } from './edited-dialog.tsx';
import { ResultView } from './result-view.tsx';

export interface BlockCardProps {
  readonly opened: OpenNote;
  readonly blockKey: string;
  readonly addresses: Addresses;
}

/** The card of a tool block: its call, state and answer. */
export function BlockCard({ opened, blockKey, addresses }: BlockCardProps) {
  const [isAsking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const card = opened.cards.get(blockKey).value;
  const { servers } = useWorkbench();
  if (card === undefined) return null;
  const { block, run, end } = card;
  const { problem, mistakes } = block;
  const server = servers.value.find(({ name }) => name === block.server);
  const view = describeCard<CardMessage>({
    block,
    problem,
    mistakes,
    isServerDisabled: server?.enabled === false,
    run,
    end,
  });
  const press = () => {
    if (view.action.kind === 'cancel') void opened.cancel([blockKey]);
    else if (view.action.kind === 'replace') setAsking(true);
    else void opened.run({ keys: [blockKey] });
  };
  return (
    <CallCard
      label={`Tool block: ${nameOf(block)}`}
      server={block.server ?? block.language}
      tool={block.tool}
      head={
        <>
          <State view={view} startedAt={run?.startedAt ?? null} />
          <ActionButton action={view.action} name={nameOf(block)} onClick={press} />
        </>
      }
    >
      <Parameters params={block.params} />
      <Problems problems={view.problems} />
      {run?.status === 'executing' && run.progress !== null && <ProgressBar {...run.progress} />}
      {block.result !== null && (
        <ResultView
          result={block.result}
          server={block.server}
          isFolded={block.display === 'collapsed'}
          addresses={addresses}
        />
      )}
      {isAsking && <EditedDialog opened={opened} blockKey={blockKey} onClose={close} />}
    </CallCard>
  );
}

interface StateProps {
  readonly view: CardView<CardMessage>;
  readonly startedAt: Time | null;
}

function State({ view: { state, stateText, tone, hint, took }, startedAt }: StateProps) {
  return (
    <span class="call-state" role="status">
      <Badge tone={tone} isLive={state === 'running'} {...(hint !== undefined && { title: hint })}>
        {stateText}
      </Badge>
      {startedAt !== null && (
        <span class="small soft" aria-hidden="true">
          <Elapsed since={startedAt} />
        </span>
      )}
      {took !== undefined && <span class="small soft">{took}</span>}
    </span>
  );
}

interface ActionButtonProps {
  readonly action: CardView<CardMessage>['action'];
  readonly name: string;
  readonly onClick: () => void;
}

function ActionButton({ action, name, onClick }: ActionButtonProps) {
  // Replacing an edited result is confirmed in a dialog.
  const label = action.kind === 'replace' ? 'Run again' : action.label;
  return (
    <Button
      isSmall
      icon={action.kind === 'cancel' ? 'stop' : label === 'Run' ? 'play' : 'redo'}
      look={action.isPrimary ? 'primary' : 'plain'}
      disabled={!action.isEnabled}
      onClick={onClick}
    >
      {label}
      <span class="visually-hidden"> {name}</span>
    </Button>
  );
}

/** Problems that are not written in the note. */
function Problems({ problems }: Pick<CardView<CardMessage>, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <ul class="call-problems small">
      {problems.map(({ problem, tone }) => (
        <Problem key={problem.message} problem={problem} tone={tone} />
      ))}
    </ul>
  );
}

type CardMessage = Pick<Failure, 'code' | 'message' | 'advice'>;

interface ProblemProps {
  readonly problem: CardMessage;
  readonly tone: 'neutral' | 'warn' | 'bad';
}

function Problem({ problem, tone }: ProblemProps) {
  return (
    <li class={tone}>
      {tone !== 'neutral' && <Icon name="warning" />}
      <span>
        {inPage(problem)} <code class="soft">{problem.code}</code>
      </span>
    </li>
  );
}

function nameOf({ server, language, tool }: Block): string {
  return `${server ?? language} ${tool ?? 'no tool'}`;
}
