/** What fills a buffer of its caller fills a copy in Node; of these modules, it fills the one in this page, too. */
export function fillPageBuffers(name: string, module: Record<string, unknown>): void {
  if (name === 'net') readIntoPageBuffer(module);
  if (name === 'fs/promises') readFilesIntoPageBuffer(module);
}

/** A socket that reads into a buffer of its caller fills one of Node's; its bytes come along with the call. */
function readIntoPageBuffer(net: Record<string, unknown>): void {
  type Read = (bytes: number, buffer: Uint8Array) => boolean;
  type Connect = (options: { onread?: { buffer: Uint8Array; callback: Read } }) => unknown;
  const connect = net.connect as Connect;
  net.connect = ((options) => {
    const { onread } = options;
    if (onread === undefined) return connect(options);
    const callback: Read = (bytes, filled) => {
      onread.buffer.set(filled.subarray(0, bytes));
      return onread.callback(bytes, onread.buffer);
    };
    return connect({ ...options, onread: { buffer: onread.buffer, callback } });
  }) satisfies Connect;
}

/** What a file is read into lies in this page; Node fills a copy of it. */
function readFilesIntoPageBuffer(fs: Record<string, unknown>): void {
  interface Filled {
    readonly bytesRead: number;
    readonly buffer: Uint8Array;
  }
  interface Handle {
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<Filled>;
  }
  type Open = (...args: readonly unknown[]) => Promise<Handle>;
  const open = fs.open as Open;
  fs.open = (async (...args) => {
    const handle = await open(...args);
    const read: Handle['read'] = async (buffer, ...place) => {
      const { bytesRead, buffer: filled } = await handle.read(buffer, ...place);
      buffer.set(filled);
      return { bytesRead, buffer };
    };
    return new Proxy(handle, {
      get(target, key) {
        if (key === 'read') return read;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }) satisfies Open;
}
