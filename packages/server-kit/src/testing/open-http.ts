/** A session over Streamable HTTP that is opened by hand. */
interface HttpSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Posts one message; `jsonrpc` is added. */
  post(message: object, signal?: AbortSignal): Promise<Response>;
  /** Calls a tool and gives back the message that answers. */
  call(name: string, input?: object): Promise<{ readonly result?: ToolResult }>;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

const accept = {
  Accept: 'application/json, text/event-stream',
  'Content-Type': 'application/json',
};

/** Posts a message as it is, with the headers that every request needs. */
export function post(url: string | URL, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { ...accept, ...headers }, body: text });
}

/** The handshake, as it is sent. */
export const handshake = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'by-hand', version: '1.0.0' },
  },
};

/** Opens a session; throws what the server answers when it refuses. */
export async function openHttp(
  url: string | URL,
  more: Readonly<Record<string, string>> = {},
): Promise<HttpSession> {
  const opened = await post(url, handshake, more);
  const id = opened.headers.get('mcp-session-id');
  if (id === null) throw new Error(`${opened.status} ${await opened.text()}`);
  await opened.text();
  const headers = { ...accept, ...more, 'Mcp-Session-Id': id };
  const send = (message: object, signal: AbortSignal | null = null) =>
    fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal,
    });
  let next = 0;
  const call = async (name: string, input: object = {}) => {
    next += 1;
    const params = { name, arguments: input };
    const response = await send({ id: `call-${next}`, method: 'tools/call', params });
    return (await response.json()) as { readonly result?: ToolResult };
  };
  return { id, headers, post: send, call };
}
