import { render } from 'preact';
import '@errand/parts/base.css';
import { HookPage } from './hook-page.tsx';
import './webview.css';

const { hook } = document.body.dataset;
render(<HookPage hookId={hook} />, document.body);
