import type { MCPServer, ServerStatus } from '@errand/hooks';
import { foreignName, oneLine } from '@errand/host';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Badge } from '../controls/badge.tsx';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { moveInTools, type ToolRow, toolRows } from './tool-rows.ts';

/** The servers and tools that there are to choose from. */
export interface ToolCatalog {
  /** Undefined until they were looked for. */
  readonly servers: readonly MCPServer[] | undefined;
  readonly isLoading: boolean;
  /** Why they could not be listed. */
  readonly failure: string | undefined;
  readonly refresh: () => void;
}

export interface ToolPickerProps {
  readonly catalog: ToolCatalog;
  readonly serverId: string;
  readonly toolName: string;
  readonly error: string | undefined;
  readonly onChoose: (serverId: string, toolName: string) => void;
}

const statusWords: Readonly<Record<Exclude<ServerStatus, 'available'>, string>> = {
  unavailable: 'not available',
  unknown: 'not started',
};

/** Chooses a tool from a searchable tree of servers. */
export function ToolPicker({ catalog, serverId, toolName, error, onChoose }: ToolPickerProps) {
  const [isOpen, setOpen] = useState(serverId === '' || toolName === '');
  const shown = useRef<HTMLDivElement>(null);
  // What was pressed is gone then, and with it the focus.
  const isSwitched = useRef(false);
  useEffect(() => {
    if (!isSwitched.current) return;
    isSwitched.current = false;
    shown.current?.querySelector<HTMLElement>(isOpen ? 'input' : 'button')?.focus();
  }, [isOpen]);
  const show = (isTree: boolean) => {
    isSwitched.current = true;
    setOpen(isTree);
  };
  const server = catalog.servers?.find(({ id, name }) => id === serverId || name === serverId);
  if (!isOpen) {
    const isMissing = server !== undefined && !server.tools.some(({ name }) => name === toolName);
    return (
      <div class="hook-tool" ref={shown}>
        <p>
          <span class="soft">{oneLine(server?.name ?? serverId)}</span>
          <Icon name="forward" />
          <strong>{foreignName(toolName)}</strong>
        </p>
        {server && server.status !== 'available' && (
          <Badge tone="warn">{statusWords[server.status]}</Badge>
        )}
        {isMissing && server.status === 'available' && (
          <Badge tone="bad">the server has no such tool</Badge>
        )}
        {catalog.servers !== undefined && server === undefined && (
          <Badge tone="bad">there is no such server</Badge>
        )}
        <Button isSmall onClick={() => show(true)} aria-label="Change the tool">
          Change
        </Button>
      </div>
    );
  }
  return (
    <ToolTree
      element={shown}
      catalog={catalog}
      error={error}
      onCancel={serverId === '' || toolName === '' ? undefined : () => show(false)}
      onChoose={(row) => {
        onChoose(row.server.id, row.tool.name);
        show(false);
      }}
    />
  );
}

interface ToolTreeProps {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly catalog: ToolCatalog;
  readonly error: string | undefined;
  readonly onCancel: (() => void) | undefined;
  readonly onChoose: (row: Extract<ToolRow, { kind: 'tool' }>) => void;
}

function ToolTree({ element, catalog, error, onCancel, onChoose }: ToolTreeProps) {
  const { servers = [], isLoading, failure, refresh } = catalog;
  const [search, setSearch] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>();
  const [active, setActive] = useState(0);
  const tree = useRef<HTMLDivElement>(null);
  const id = useId();
  // A few servers are open at first, many would hide each other.
  const open = folded ?? new Set(servers.length <= 3 ? servers.map((server) => server.id) : []);
  const { rows, left } = toolRows(servers, search, open);
  const at = Math.max(0, Math.min(rows.length - 1, active));
  const fold = (serverId: string) => {
    const next = new Set(open);
    if (!next.delete(serverId)) next.add(serverId);
    setFolded(next);
  };
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const onTreeKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveInTools(event.key, rows, at);
    if (move === undefined) return;
    event.preventDefault();
    if ('to' in move) setActive(move.to);
    else if ('fold' in move) fold(move.fold);
    else onChoose(move.choose);
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && rows.length > 0) {
      event.preventDefault();
      setActive(rows.findIndex(({ kind }) => kind === 'tool'));
      tree.current?.focus();
    } else if (event.key === 'Enter') {
      // Enter would submit the form around it.
      event.preventDefault();
      const first = search === '' ? undefined : rows.find((row) => row.kind === 'tool');
      if (first !== undefined) onChoose(first);
    } else if (event.key === 'Escape' && search !== '') {
      event.stopPropagation();
      setSearch('');
    } else if (event.key === 'Escape') onCancel?.();
  };
  return (
    <div class="hook-tools" ref={element}>
      <div class="hook-tools-head">
        <label for={`${id}-search`}>
          Tool <span class="soft">(required)</span>
        </label>
        <input
          id={`${id}-search`}
          class="control"
          type="search"
          placeholder="Search servers and tools"
          autocomplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-help`}
          value={search}
          onInput={(event) => {
            setSearch(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onSearchKey}
        />
        <Button isSmall icon="redo" isBusy={isLoading} title={foundAt(servers)} onClick={refresh}>
          Refresh
        </Button>
        {onCancel && (
          <Button isSmall look="quiet" onClick={onCancel}>
            Keep it
          </Button>
        )}
      </div>
      <p id={`${id}-help`} class="visually-hidden">
        Enter takes the first tool that is found, arrow down goes to the list.
      </p>
      {error && (
        <p class="field-error small" role="alert">
          {error}
        </p>
      )}
      {failure && <p class="field-error small">{failure}</p>}
      {isLoading && servers.length === 0 && (
        <p class="soft" role="status">
          Looking for tools …
        </p>
      )}
      {!isLoading && servers.length === 0 && !failure && <p class="soft">There are no servers.</p>}
      {search !== '' && rows.length === 0 && <p class="soft">Nothing matches.</p>}
      {rows.length > 0 && (
        <div
          ref={tree}
          class="hook-tree"
          role="tree"
          aria-label="Servers and tools"
          tabIndex={0}
          aria-activedescendant={`${id}-${at}`}
          onKeyDown={onTreeKey}
        >
          {rows.map((row, index) => (
            <TreeRow
              key={row.kind === 'server' ? row.server.id : `${row.server.id} ${row.tool.name}`}
              id={`${id}-${index}`}
              row={row}
              isActive={index === at}
              onPress={() => (row.kind === 'server' ? fold(row.server.id) : onChoose(row))}
            />
          ))}
        </div>
      )}
      {left > 0 && <p class="small soft">{`${left} more: search to find them.`}</p>}
    </div>
  );
}

/** When the servers were asked, which may be some minutes ago. */
function foundAt(servers: readonly MCPServer[]): string | undefined {
  const [first] = servers;
  return first && `Found at ${new Date(first.lastDiscovered).toLocaleTimeString()}`;
}

interface TreeRowProps {
  readonly id: string;
  readonly row: ToolRow;
  readonly isActive: boolean;
  readonly onPress: () => void;
}

function TreeRow({ id, row, isActive, onPress }: TreeRowProps) {
  const { server } = row;
  const classes = ['hook-tree-row', row.kind === 'tool' && 'is-tool', isActive && 'is-active'];
  return (
    // The tree has the focus and hears the keys; rows are pointed at.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles keys.
    <div
      id={id}
      class={classes.filter(Boolean).join(' ')}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.kind === 'server' ? 1 : 2}
      aria-expanded={row.kind === 'server' ? row.isOpen : undefined}
      aria-selected={isActive}
      onClick={onPress}
    >
      {row.kind === 'server' ? (
        <>
          <Icon name={row.isOpen ? 'down' : 'forward'} />
          <span>{oneLine(server.name, 100)}</span>
          {server.status === 'available' ? (
            <span class="small soft">{toolCount(server.tools.length)}</span>
          ) : (
            <Badge tone={server.status === 'unavailable' ? 'warn' : 'neutral'}>
              {statusWords[server.status]}
            </Badge>
          )}
        </>
      ) : (
        <>
          <span>{foreignName(row.tool.name)}</span>
          <span class="small soft hook-tree-about">{oneLine(row.tool.description, 120)}</span>
        </>
      )}
    </div>
  );
}

function toolCount(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`;
}
