// What a Logstash service is configured by (contract/service-types.md §6), and what of it is checked when it is written.
import { type ConfigOf, configField as field } from '@sluice/contract';
import { checkHost, refuseField } from '../../storage/remote-config.ts';

/** The levels of a log, with their numbers in syslog (RFC 5424 §6.2.1). */
export const levels = {
  EMERGENCY: 0,
  ALERT: 1,
  CRITICAL: 2,
  ERROR: 3,
  WARNING: 4,
  NOTICE: 5,
  INFO: 6,
  DEBUG: 7,
} as const;
export type Level = keyof typeof levels;

export const isLevel = (text: string): text is Level => Object.hasOwn(levels, text);

const protocols = [
  { name: 'gelf', label: 'GELF (UDP)' },
  { name: 'http', label: 'HTTP' },
  { name: 'tcp', label: 'TCP' },
  { name: 'udp', label: 'UDP' },
] as const;
export type Protocol = (typeof protocols)[number]['name'];

/** The parts of an event and of the instance that go along, by the names of the contract. */
export const contextParts = [
  '_event.request',
  ...['content', 'content_type', 'headers', 'parameters', 'method', 'payload', 'uri', 'service', 'resource'].map(
    (name) => `_event.request.${name}`,
  ),
  ...['_event.resource', '_event.response', '_event.response.status_code', '_event.response.content'],
  ...['_event.response.content_type', '_platform', '_platform.config', '_platform.session'],
  ...['_platform.session.user', '_platform.session.api_key'],
] as const;

export interface EventRow extends Record<string, unknown> {
  event: string | null;
  level: string | null;
  message: string | null;
}

export const logstashFields = {
  host: field.string({
    label: 'Host',
    description: 'Name or address of the Logstash server.',
    default: '127.0.0.1',
  }),
  port: field.integer({ label: 'Port', description: 'Where its input listens.', required: true }),
  protocol: field.picklist({
    label: 'Protocol/Format',
    description: 'The input that it has: gelf, or JSON over http, tcp (a line each) or udp.',
    values: protocols.map(({ name, label }) => ({ label, name })),
    default: 'gelf',
  }),
  context: field.picks({
    label: 'Log Context',
    description: 'What goes along with each message. Passwords, keys, tokens and cookies are masked.',
    columns: 3,
    legend: 'Select data object(s) to capture',
    values: contextParts.map((name) => ({ label: name, name })),
  }),
  service_event_map: field.rows<EventRow>({
    label: 'Service Event',
    description: 'Events that are logged once they are over. {service}.* stands for all events of a service.',
    items: [
      { name: 'event', label: 'Event', type: 'event_picklist', allow_null: false },
      {
        name: 'level',
        label: 'Log Level',
        type: 'picklist',
        values: Object.keys(levels).map((name) => ({ label: name, name })),
        default: 'INFO',
      },
      { name: 'message', label: 'Message', type: 'text', description: 'Blank: the name of the event.' },
    ],
    literal: true,
  }),
};

export type LogstashConfig = ConfigOf<typeof logstashFields>;

export const hostOf = ({ host }: Pick<LogstashConfig, 'host'>): string => host?.trim() || '127.0.0.1';
export const protocolOf = ({ protocol }: Pick<LogstashConfig, 'protocol'>): Protocol =>
  protocols.find(({ name }) => name === protocol)?.name ?? 'gelf';

/** Refuses configurations that nothing could be sent with. */
export function checkLogstash({ host, port, protocol, service_event_map }: LogstashConfig): void {
  if (!host?.includes('{')) checkHost({ host: hostOf({ host }), port });
  if (protocol !== null && protocol !== undefined && protocol !== '' && protocolOf({ protocol }) !== protocol)
    throw refuseField('protocol', 'The protocol is gelf, http, tcp or udp.');
  for (const { level } of service_event_map ?? [])
    if (level && !isLevel(level.toUpperCase()))
      throw refuseField('service_event_map', `The level of an event is one of ${Object.keys(levels).join(', ')}.`);
}
