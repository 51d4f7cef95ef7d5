import { done, type Requirement } from './requirement.ts';

/** What is asked of the assistant. */
export const assistant: Readonly<Record<string, Requirement>> = {
  R30: done(
    "A model sees and uses the section's tools; text and calls stream.",
    'packages/assistant/src/note/bound-section.test.ts: a bound section offers only its server’s tools, and the model can call no other',
    'packages/assistant/src/turn/converse.test.ts: offers no tools of a disabled server, nor of one disabled during the turn',
    'packages/assistant/src/turn/wire-formats.test.ts: streams text',
    'packages/assistant/src/turn/wire-formats.test.ts: makes a call and gives its answer to the model',
    'packages/assistant/src/turn/wire-formats.test.ts: makes parallel calls, over several rounds',
    'packages/assistant/src/turn/converse.test.ts: offers the tools of the section first, and the rest of 300 tools by search, within the budget',
    'test/end-to-end/ask.test.ts: a question is answered on standard output, with the calls on standard error',
    'apps/workbench/src/page/assistant/assistant-page.browser.test.ts: a question is asked by keyboard alone: text streams in, the call is a card, usage follows',
  ),
  R31: done(
    'Every call a model makes is logged, and loops end.',
    'packages/assistant/src/turn/converse.test.ts: logs every request and call with conversation, note, line, tokens and time',
    'packages/assistant/src/turn/limits.test.ts: makes the model answer after ten rounds of tools',
    'packages/assistant/src/turn/limits.test.ts: ends the turn after the same call gave the same answer three times',
    'packages/assistant/src/note/note-session.test.ts: the session limit counts over the turns of a conversation, until it is reset',
    'packages/assistant/src/turn/limits.test.ts: closes the connection when all calls are stopped while streaming',
    'packages/assistant/src/turn/approval.test.ts: asks before a tool that changes something, and an approval allows one call',
    'packages/assistant/src/turn/approval.test.ts: treats an answer that claims to approve everything as data',
    'packages/assistant/src/turn/approval.test.ts: asks before a read-only tool too when the rule is "always"',
    'packages/assistant/src/turn/approval.test.ts: asks before a tool that became read-only until the change is approved',
    'packages/assistant/src/turn/data-fence.test.ts: a model gets everything a server, tool or file says inside the fence, names included',
    'test/end-to-end/ask.test.ts: without a person or --yes nothing is changed; with --yes it is',
    'apps/workbench/src/page/assistant/assistant-page.browser.test.ts: a call that makes changes is allowed or denied inline by keyboard, and is counted on every page',
  ),
  R32: done(
    'Conversations live in the note, their calls as ordinary blocks.',
    'packages/assistant/src/note/answer-in-note.test.ts: answers the open question below it, with calls as blocks',
    'packages/assistant/src/note/answer-in-note.test.ts: a question is written into the note, and the transcript is sent back with its calls',
    'packages/assistant/src/note/typing-meanwhile.test.ts: loses nothing that another process writes above and below the answer',
    'packages/document/src/conversation/write-answer.test.ts: preserves the note, whatever the note and the answer',
    'packages/document/src/results/neutralize.commonmark.test.ts: nothing in a neutralised text is loaded, run or opened, and a second time changes nothing',
    'test/end-to-end/ask.test.ts: the question in a note is answered there, and the next one knows of it',
    'test/end-to-end/ask.test.ts: Ctrl-C in the middle of an answer leaves the note whole',
    'apps/workbench/src/api/assistant/note-conversation.test.ts: a conversation in a note is written there while another program edits the note',
    'apps/workbench/src/page/assistant/assistant-page.browser.test.ts: beside a note the conversation is kept in it, while another program edits the note',
    'apps/workbench/src/page/assistant/assistant-page.browser.test.ts: a page loaded during a turn shows everything, two tabs agree, and a draft is kept',
  ),
};
