/** The protocol has two eras: a handshake and sessions, or requests that stand alone (2026-07-28). */
export type Era = 'legacy' | 'modern';
