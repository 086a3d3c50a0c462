// Jobs: what waits, runs and failed for good; tried again or removed here. job-state.ts decides, list.tsx and row.tsx draw.
export { JobList as JobsScreen } from './list.tsx';
