// The thread of worker.ts where the sources run as they are: a thread does not inherit the loader of TypeScript.
import { register } from 'tsx/esm/api';

register();

export const soap = async (task) => (await import('./worker.ts')).soap(task);
