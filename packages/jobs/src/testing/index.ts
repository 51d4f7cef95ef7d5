export { jobsConformance } from './jobs-conformance.ts';
