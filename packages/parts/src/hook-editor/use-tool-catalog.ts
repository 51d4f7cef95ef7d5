import type { MCPServer } from '@errand/hooks';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { HookFormPorts } from './hook-form-ports.ts';
import type { ToolCatalog } from './tool-picker.tsx';

/** The servers and their tools, looked for when this is first shown and again when they change. */
export function useToolCatalog(ports: HookFormPorts): ToolCatalog {
  const [servers, setServers] = useState<readonly MCPServer[]>();
  const [failure, setFailure] = useState<string>();
  const [isLoading, setLoading] = useState(true);
  const newest = useRef<AbortController>(undefined);
  const load = useCallback(
    async (isFresh: boolean) => {
      newest.current?.abort();
      const asking = new AbortController();
      newest.current = asking;
      setLoading(true);
      try {
        setServers(await ports.discover(isFresh, asking.signal));
        setFailure(undefined);
      } catch (error) {
        if (!asking.signal.aborted) setFailure(ports.describe(error));
      }
      if (newest.current === asking) setLoading(false);
    },
    [ports],
  );
  useEffect(() => {
    void load(false);
    return () => newest.current?.abort();
  }, [load]);
  useEffect(() => ports.onToolsChange(() => void load(false)), [ports, load]);
  return { servers, failure, isLoading, refresh: () => void load(true) };
}
