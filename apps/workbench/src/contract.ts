// What page and API say to each other. Types only: both sides compile it, one with Node's types, one with the browser's.
//
// Every route is below /api. Bodies and answers are JSON. A failure is an `ApiFailure` with a status of 4xx or 5xx.
// Notes are named by their path in the vault (forward slashes, ending in .md), in the query: /api/note?path=Projects%2FGarden.md
//
//   GET    /state                      -> WorkbenchState      everything but notes, and the sequence the events go on from
//   GET    /events?after=SEQUENCE      -> server-sent events, each a `WorkbenchEvent`; `id:` is its sequence
//   POST   /link                       -> NewLink             lets one more browser in, once
//   GET    /notes                      -> NoteList
//   GET    /notes/search?query=        -> SearchAnswer        by name and by text
//   GET    /note?path=                 -> Note
//   PUT    /note?path=      SaveNote   -> Note                409 `conflict` with the `Note` as it is now in `current`
//   POST   /note/check?path=  CheckNote  -> NoteReading       what unsaved text would be; nothing is stored
//   POST   /note/suggest?path= SuggestAt -> Suggestions     for the text and cursor of an editor; starts no server
//   POST   /note/run?path=    RunNote    -> RunStarted        ends with the event `run-ended`; results arrive by `note-changed`
//   POST   /note/cancel?path= CancelRun  -> Done              without keys: everything that runs in the note
//   POST   /note/result?path= DecideResult -> Note            keep an edited result as own text, or take it away
//   POST   /note/bind?path=   BindSection  -> Note            409 `conflict` when the note is another by now
//   GET    /file?path=                 -> an attachment or image of the vault; what could run script is sent as a download
//   GET    /servers                    -> ServerList
//   POST   /servers           AddServer  -> Server            stored disabled, then tested (see `Server.test`), enabled when it works
//   POST   /servers/read      PastedText -> PastedServers     what pasted JSON or TOML of any known program holds; stores nothing
//   POST   /servers/import    ImportServers -> ServerList     stores those chosen, tests and enables like POST /servers
//   GET    /servers/ID                 -> ServerDetails
//   PUT    /servers/ID        EditServer -> Server            tested again
//   DELETE /servers/ID                 -> Done
//   POST   /servers/ID/enabled SetEnabled -> Server
//   POST   /servers/ID/try             -> Server              try now, whatever was planned
//   POST   /servers/ID/test            -> Server              steps arrive by `server-changed` in `Server.test`
//   GET    /servers/ID/tools?refresh=1 -> ToolList            starts the server if need be
//   POST   /servers/ID/call   CallTool   -> CallAnswer        ends with the call; aborting the request cancels it
//   POST   /servers/ID/block  CallTool   -> BlockText         the same call as a block to paste; calls nothing
//   GET    /trust                      -> TrustState
//   POST   /trust             Agree      -> TrustState        409 `conflict` when an entry is another by now
//   GET    /calls                      -> ActivitySnapshot
//   GET    /calls/history?limit=&server=&note=&status=&source=&before=ID  -> CallHistory   `before`: those older than this call
//   GET    /calls/ID                   -> CallDetails
//   POST   /calls/ID/cancel            -> Done                409 when somebody else made the call
//   POST   /calls/stop, /calls/resume  -> ActivitySnapshot
//   POST   /sessions/reset    ResetSession -> Session
//   GET    /assistant                  -> AssistantState
//   POST   /assistant/trust   AgreeToAssistant -> AssistantState   409 `conflict` when the entry is another by now
//   GET    /assistant/conversation?note=&kept=1&line=  -> Conversation   one that is kept begins with what the note has
//   POST   /assistant/ask     Ask        -> TurnStarted       ends with `turn-changed`; 409 while a turn goes on there
//   POST   /assistant/stop    StopTurn   -> Done              what had come is kept
//   POST   /assistant/answer  AnswerCall -> Done              a person's yes or no to a call
//   POST   /assistant/new     ConversationPlace -> Conversation   forgets the turns; one that is kept starts over in its note
//   GET    /settings                   -> SettingsState
//   PATCH  /settings          ChangeSettings -> SettingsState
//   GET    /secrets                    -> SecretList
//   PUT    /secrets/NAME      SetSecret  -> SecretList
//   DELETE /secrets/NAME               -> SecretList
//   POST   /questions/ID      AnswerQuestion -> Done          what a server asked the person

export type * from './contract/assistant.ts';
export type * from './contract/call.ts';
export type * from './contract/event.ts';
export type * from './contract/failure.ts';
export type * from './contract/note.ts';
export type * from './contract/progress.ts';
export type * from './contract/server.ts';
export type * from './contract/settings.ts';
export type * from './contract/state.ts';
export type * from './contract/time.ts';
export type * from './contract/tool.ts';
export type * from './contract/trust.ts';
