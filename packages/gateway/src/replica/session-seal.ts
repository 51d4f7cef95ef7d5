import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isRecord, type JsonObject } from '@errand/wire';

/** What any replica needs to go on with a session of the older era. */
export interface SealedSession {
  /** The executor's name for it. */
  readonly name: string;
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  /** The client that it belongs to, where clients have tokens of their own. */
  readonly client?: string;
  /** Who logged in, where several people are one client. */
  readonly subject?: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

/** Makes ids of sessions that carry the session, and reads them. */
export interface SessionSeal {
  seal(session: SealedSession): string;
  /** Undefined for what was not sealed with the same key. */
  open(id: string): SealedSession | undefined;
}

const [ivBytes, tagBytes] = [12, 16];

/** Seals with a key of 32 bytes that all replicas share; nobody else can read or make such an id. */
export function sessionSeal(key: Buffer): SessionSeal {
  return {
    seal(session) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const text = Buffer.concat([cipher.update(JSON.stringify(session)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(id) {
      const bytes = Buffer.from(id, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const text = Buffer.concat([
          decipher.update(bytes.subarray(ivBytes + tagBytes)),
          decipher.final(),
        ]).toString();
        return readSession(JSON.parse(text));
      } catch {
        return undefined;
      }
    },
  };
}

function readSession(value: unknown): SealedSession | undefined {
  return isRecord(value) && typeof value.name === 'string'
    ? (value as unknown as SealedSession)
    : undefined;
}
