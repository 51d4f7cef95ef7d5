import { render } from 'preact';
import './style/tokens.css';
import '@errand/parts/base.css';
import { AssistantModel } from './assistant/model/assistant-model.ts';
import { AssistantContext } from './assistant/model/use-assistant.ts';
import { followRoute } from './model/route.ts';
import { WorkbenchContext } from './model/use-workbench.ts';
import { WorkbenchModel } from './model/workbench-model.ts';
import { NotesModel } from './notes/model/notes-model.ts';
import { NotesContext } from './notes/model/use-notes.ts';
import { App } from './shell/app.tsx';

const model = new WorkbenchModel();
const notes = new NotesModel(model);
const assistant = new AssistantModel(model);
void model.load();
render(
  <WorkbenchContext.Provider value={model}>
    <NotesContext.Provider value={notes}>
      <AssistantContext.Provider value={assistant}>
        <App route={followRoute()} />
      </AssistantContext.Provider>
    </NotesContext.Provider>
  </WorkbenchContext.Provider>,
  document.body,
);
