/** The engine understood a request and said no. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal';
  readonly status: number;

  constructor(status: number, body: string) {
    super(messageIn(body) || `status ${status}`);
    this.status = status;
  }
}

/** Docker answers `{"message": …}`; Podman adds a longer `cause`. */
function messageIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message.trim() : body.trim();
  } catch {
    return body.trim();
  }
}
