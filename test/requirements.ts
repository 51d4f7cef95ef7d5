/** What Errand promises, and the tests that show it. A row is done when its tests show all of it. */
export interface Requirement {
  readonly promise: string;
  readonly status: 'open' | 'done';
  /** `path: name of the test`, with the name as it stands in the file. */
  readonly tests: readonly string[];
}

export const requirements: Readonly<Record<string, Requirement>> = {
  // Servers and their life
  R1: open('Servers are registered, edited, removed and switched, under names a note can use.'),
  R2: open('A broken entry is reported with its path and remedy, and stops no other.'),
  R3: open('Connected means handshake and tool list; every state is shown with its reason.'),
  R4: open('Containers are created, watched and removed; nothing of ours keeps running.'),
  R5: open('Servers that others run are checked, never started or stopped.'),
  R6: open('Losses are noticed at once, retried after 1, 5 and 15 s, then given up visibly.'),
  R7: open('A server that hangs, floods, crashes or lies affects no other server.'),
  R8: open('The messages people see have fixed words.'),
  // Calls
  R10: open('A call has a deadline, and the server is told when it passes or is cancelled.'),
  R11: open('Calls are limited at once and per session, can be stopped, and are remembered.'),
  R12: open("Parameters are typed and checked by the tool's schema before the call."),
  R13: open('Results are typed and bounded; what is large or binary becomes a file.'),
  R14: open('The same block asked again while it runs joins the running call.'),
  // Notes
  R20: open('A block runs when asked, never otherwise; its result stands below it.'),
  R21: open('Every block shows its state.'),
  R22: open('The note survives everything; a write is whole or not at all.'),
  R23: open('Sections bind servers, visibly, and the most specific binding wins.'),
  R24: open('Each edge case of the specification has an answer and a test.'),
  // Assistant
  R30: open("A model sees and uses the section's tools; text and calls stream."),
  R31: open('Every call a model makes is logged, and loops end.'),
  R32: open('Conversations live in the note, their calls as ordinary blocks.'),
  // Faces
  R40: open('Settings ask only for what is needed; notices never block.'),
  R41: open('The Obsidian plugin shows and does all of this in the editor.'),
  // Hooks
  R50: open('Events trigger actions under conditions, limits and a log.'),
  // Server kit and Bitbucket
  R60: open('One definition serves stdio, HTTP and SSE to many isolated, bounded clients.'),
  R61: open('Tools have checked input and output, unique names, and a server status.'),
  R61a: open('A server shows its identity, transports, sessions and tools.'),
  R62: open('Malformed JSON-RPC gets the right code, never a crash or silence.'),
  R63: open('Bitbucket Data Center and Cloud have one set of tools.'),
  // Mail and vault
  R70: open('The vault server reads, writes, lists, moves and searches, only inside the vault.'),
  R71: open('The Gmail server lists, reads, sends and labels mail.'),
  R72: open('Mail becomes notes, drafts, approvals and at most one sent message.'),
  R73: open('Every server of ours reports failures in one taxonomy.'),
};

function open(promise: string, ...tests: string[]): Requirement {
  return { promise, status: 'open', tests };
}
