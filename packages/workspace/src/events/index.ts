export { Throttle } from './throttle.ts';
