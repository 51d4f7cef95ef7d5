/** Why a person is asked about a model's call of a tool. */
export const approvalReasons = {
  writes: 'It does not say that it only reads.',
  always: 'It says that it only reads; the settings of its server want every call asked about.',
  'open-world':
    'It says that it only reads, and that it reaches beyond this machine: what it is sent may leave it.',
  'hints-changed':
    'It claims to be more harmless than when you agreed to its server, so its word is not taken.',
} as const;
