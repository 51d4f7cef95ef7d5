export { ErrandPlugin as default } from './obsidian/errand-plugin.ts';
