import { render } from 'preact';

render(<p>Errand</p>, document.body);
