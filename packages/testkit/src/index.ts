// What most tests start from: a platform in this process. Calls without one, stores and databases are files beside this.
export * from './platform.ts';
