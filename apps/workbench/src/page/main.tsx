import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import { followRoute } from './model/route.ts';
import { WorkbenchContext } from './model/use-workbench.ts';
import { WorkbenchModel } from './model/workbench-model.ts';
import { App } from './shell/app.tsx';

const model = new WorkbenchModel();
void model.load();
render(
  <WorkbenchContext.Provider value={model}>
    <App route={followRoute()} />
  </WorkbenchContext.Provider>,
  document.body,
);
