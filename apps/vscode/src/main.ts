export { activate, deactivate } from './vscode/activate.ts';
