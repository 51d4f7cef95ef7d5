/** Why a tool call of a model needs approval. */
export const approvalReasons = {
  writes: 'It is not marked as read-only.',
  always: 'It is marked as read-only, but its server is set to ask about every call.',
  'open-world':
    'It is marked as read-only, but it reaches beyond this machine: its parameters may be sent elsewhere.',
  'hints-changed':
    'It now claims to be safer than when you approved its server, so that claim is ignored.',
} as const;
