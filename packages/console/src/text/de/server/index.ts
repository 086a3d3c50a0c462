// Was Server auf Englisch sagen, auf Deutsch; geladen, wenn zum ersten Mal etwas von einem Server zu zeigen ist.
import type { ServerWords } from '../../server-words.ts';
import { messages } from './messages.ts';
import { operations } from './operations.ts';
import { serviceTypes } from './service-types.ts';

export const serverWords: ServerWords = { serviceTypes, messages, operations };
