// What tests start from: a platform in this process, factories, shared suites.
export * from './platform.ts';
