// The last calls that failed, of each service: what a figure of failures is made of. In memory, of this process alone, and only what
// a log line has, with the refusal's words.
import type { FailedCall } from '@sluice/contract';
import { cutText } from '../call/cut-text.ts';

/** Calls that are kept of one service, and services that have any. */
const maxCalls = 50;
const maxServices = 200;
const maxPathLength = 200;
const maxMessageLength = 300;

export interface FailedCalls {
  add(serviceId: number, call: FailedCall): void;
  /** Of one service, newest first. */
  of(serviceId: number): FailedCall[];
}

export function createFailedCalls(): FailedCalls {
  const byService = new Map<number, FailedCall[]>();
  return {
    add(serviceId, call) {
      const calls = byService.get(serviceId) ?? [];
      byService.delete(serviceId);
      byService.set(serviceId, calls);
      const [oldest] = byService.keys();
      if (byService.size > maxServices && oldest !== undefined) byService.delete(oldest);
      calls.push({
        ...call,
        path: cutText(call.path, maxPathLength),
        message: call.message === null ? null : cutText(call.message, maxMessageLength),
      });
      if (calls.length > maxCalls) calls.shift();
    },
    of: (serviceId) => (byService.get(serviceId) ?? []).toReversed(),
  };
}
