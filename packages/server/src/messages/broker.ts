// What a service provides that is connected to a broker of messages, so that calls can be made for them.
import { createKey } from '../call/typed-map.ts';

/** A message of a broker. */
export interface BrokerMessage {
  topic: string;
  content: Uint8Array;
  /** How many calls of messages led to it, as far as the broker passes that on; 0 where nothing is known. */
  generation: number;
  /** The filters that it came by, of those that are listened to. */
  filters: readonly string[];
}

/** A connection that gets messages. */
export interface Listening {
  /** Listens to these filters from now on; answers those that the broker refuses, with its words. */
  setFilters(filters: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The filter that is being subscribed to: some brokers close the connection over one that they refuse. */
  readonly pending: string | undefined;
  /** Resolves when the connection is gone, with the reason. */
  closed: Promise<string>;
  close(): Promise<void>;
}

export interface MessageBroker {
  /** Connects; throws failures of the catalogue. */
  listen(onMessage: (message: BrokerMessage) => void): Promise<Listening>;
}

export const messageBroker = createKey<MessageBroker>('the broker of messages');

/** Instances and calls that messages may lead to, one by the other. */
export const maxGenerations = 5;
