// Events that services write down: what such a service provides, and what it gets. Who calls it is scripts/final-step.ts.
import type { Call } from '../call/call.ts';
import type { Exchange } from '../call/exchange.ts';
import { createKey } from '../call/typed-map.ts';

/** What is written down. */
export interface LoggedEvent {
  /** As it was fired. */
  name: string;
  /** The row of the event map that named it. */
  row: Record<string, unknown>;
  /** The event as scripts see it; of its response the content only where it is in memory and short. */
  data: Record<string, unknown>;
  /** Whose call it is. */
  call: Call;
}

/** What a service provides whose type `logsEvents`. */
export interface EventLog {
  /** Takes an event and returns at once. Never throws. */
  write(event: LoggedEvent): void;
}
export const eventLog = createKey<EventLog>('what writes events down');

/** Characters of a text that is looked at. */
const maxContent = 64 * 1024;

/** A response without what it costs to look at: what streams, or is long, stays unread. */
export function shortResponse({ reply }: Exchange): Record<string, unknown> | undefined {
  if (!reply) return undefined;
  const { body, status = 200 } = reply;
  const facts = { status_code: status, content_type: 'type' in body ? body.type : null };
  if ('value' in body) return { ...facts, content: body.value };
  const text = 'json' in body ? body.json : 'text' in body ? body.text : undefined;
  if (text === undefined || text.length > maxContent) return { ...facts, content: null };
  return { ...facts, content: 'json' in body ? JSON.parse(text) : text };
}
