// The thread in which one SOAP service has its WSDL read, its calls written and its answers read: all of it is work of the library
// on texts from elsewhere, some of which grow beyond bounds with a short WSDL. The thread has no settings of ours and is ended when
// it takes too long; it opens no connection.
import {
  type Definition,
  type MessageHeader,
  type OperationFacts,
  type Received,
  type Sent,
  SoapClient,
} from './client.ts';
import { localName, lookAt, Unreadable } from './document.ts';

export type SoapTask =
  /** Nothing: the thread is there once it is done. */
  | { kind: 'start' }
  | { kind: 'look'; text: string }
  | { kind: 'list'; key: string; definition: Definition }
  | { kind: 'write'; key: string; definition?: Definition; operation: string; value: unknown; headers: MessageHeader[] }
  | { kind: 'read'; key: string; definition?: Definition; operation: string; text: string };

/** `missing`: the thread has not got the definition of the key (any more). */
export type SoapAnswer<T> = { value: T } | { problem: string } | { missing: true };

export interface Looked {
  text: string;
  imports: string[];
  /** The outermost element; `definitions` of a WSDL, `schema` of what it imports. */
  root: string;
}
export type Listed = OperationFacts[];
export type { Received, Sent };

/** Definitions that are kept: one service has one, without a WSDL one an operation. */
const maxClients = 50;
const clients = new Map<string, Promise<SoapClient>>();

/** Does a task; what the texts are to blame for is a `problem`. */
export async function soap(task: SoapTask): Promise<SoapAnswer<Looked | Listed | Sent | Received | null>> {
  try {
    if (task.kind === 'start') return { value: null };
    if (task.kind === 'look') {
      const { text, imports, root } = lookAt(task.text);
      return { value: { text, imports, root: localName(root.name) } };
    }
    const client = clientOf(task.key, task.definition);
    if (!client) return { missing: true };
    const opened = await client;
    if (task.kind === 'list') return { value: [...opened.operations.values()].map(({ facts }) => facts) };
    if (task.kind === 'write') return { value: opened.write(task.operation, task.value, task.headers) };
    return { value: opened.read(task.operation, task.text) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    // The library meets what it did not expect, in texts that are not its own.
    return { problem: `the SOAP library says: ${String((error as Error)?.message ?? error).slice(0, 300)}` };
  }
}

function clientOf(key: string, definition: Definition | undefined): Promise<SoapClient> | undefined {
  const existing = clients.get(key);
  if (existing || !definition) return existing;
  const opening = SoapClient.open(definition);
  clients.set(key, opening);
  opening.catch(() => clients.delete(key));
  const [oldest] = clients.keys();
  if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest);
  return opening;
}
