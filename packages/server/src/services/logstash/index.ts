// A Logstash server that events are logged to (contract/service-types.md §6): those of its event map, beside the calls they are of,
// and messages that are sent to the service.
import { hostname } from 'node:os';
import { fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord, stringifyInput } from '../../call/payload.ts';
import { TypedMap } from '../../call/typed-map.ts';
import { type EventLog, eventLog } from '../../events/log.ts';
import { sharedEnvironment } from '../../resources/environment/index.ts';
import { type OpenService, type ServiceContext, serviceType } from '../../service/service.ts';
import { privateTargetsOf, type Settings } from '../../settings/index.ts';
import { hostAddress } from '../../storage/remote-config.ts';
import type { Store } from '../../store/index.ts';
import {
  checkLogstash,
  hostOf,
  isLevel,
  type Level,
  type LogstashConfig,
  levels,
  logstashFields,
  protocolOf,
} from './config.ts';
import { boundedValue, contextOf, gelfOf, jsonOf, type LogMessage, withinBound } from './message.ts';
import { createLogQueue } from './queue.ts';
import { openTransport, tryTarget } from './transport.ts';

interface LogService extends OpenService {
  /** Logs what a call says. */
  post(call: Call): Promise<Reply>;
}

/** Characters of a message. */
const maxText = 8_000;

/** A Logstash server that events are logged to. */
export const logstash = (settings: Settings, store: Store) =>
  serviceType<typeof logstashFields, LogService>({
    name: 'logstash',
    label: 'Logstash',
    description: 'Events and messages, logged to a Logstash server.',
    group: 'Log',
    can: { logsEvents: true },
    config: logstashFields,
    check: checkLogstash,
    address: (config) => hostAddress(hostOf(config), config.port ?? 0),
    test: (config) => tryTarget(protocolOf(config), { host: hostOf(config), port: config.port ?? 0 }),
    open: (config, context) => openLogstash(config, context, settings, () => sharedEnvironment({ store, settings })),
    routes: [
      {
        path: '',
        operations: {
          POST: {
            summary: 'Log a message',
            description: 'It is sent beside the call, which does not wait for the log server.',
            body: 'object',
            bodyFields: {
              message: { type: 'string', required: true, example: 'Order 7 was paid' },
              level: { type: 'string', enum: Object.keys(levels), description: 'INFO where it is absent.' },
              context: { type: 'object', description: 'What goes along with it.' },
            },
            answer: 'success',
            errors: ['log.noMessage', 'log.badLevel'],
            handle: (call, _values, service) => service.post(call),
          },
        },
      },
    ],
  });

function openLogstash(
  config: LogstashConfig,
  context: ServiceContext,
  settings: Settings,
  platform: () => object,
): LogService {
  const protocol = protocolOf(config);
  const target = { host: hostOf(config), port: config.port ?? 0 };
  const name = settings.publicUrl === '' ? hostname() : new URL(settings.publicUrl).hostname;
  const write = (message: LogMessage) => (protocol === 'gelf' ? gelfOf(message, name) : jsonOf(message, name));
  const queue = createLogQueue({
    transport: openTransport(protocol, target, privateTargetsOf(settings)),
    dropped: (count) =>
      withinBound(
        {
          ...{ time: Date.now(), level: 'WARNING', requestId: '', context: { dropped: count } },
          message: `${count} messages were dropped: the log server took none.`,
        },
        write,
      ),
    log: context.log,
  });
  const names = (config.context ?? []).map(String);
  const add = (message: LogMessage) => queue.add(withinBound(message, write));
  const events: EventLog = {
    write({ name: event, row, data, call }) {
      try {
        const text = String(row.message ?? '').slice(0, maxText) || event;
        const facts = {
          time: Date.now(),
          level: levelOf(row.level) ?? 'INFO',
          message: text,
          event,
          requestId: call.id,
        };
        const config = names.some((part) => part.startsWith('_platform')) ? { ...platform() } : {};
        add({ ...facts, context: contextOf(names, { data, call }, config) });
      } catch (error) {
        context.log.warn({ err: error, event }, 'An event was not logged.');
      }
    },
  };
  return {
    provides: new TypedMap().set(eventLog, events),
    async post(call) {
      const body = await call.body();
      const { message, level, context: more } = isRecord(body) ? body : {};
      const text = stringifyInput(message).trim();
      if (text === '') throw fail('log.noMessage');
      const found = levelOf(level ?? 'INFO');
      if (!found) throw fail('log.badLevel', { levels: Object.keys(levels).join(', ') });
      const bounded = isRecord(more) ? (boundedValue(more) as Record<string, unknown>) : {};
      add({ time: Date.now(), level: found, message: text.slice(0, maxText), requestId: call.id, context: bounded });
      return answer({ success: true });
    },
    close: () => queue.close(),
  };
}

function levelOf(level: unknown): Level | undefined {
  const name = String(level ?? '').toUpperCase();
  return isLevel(name) ? name : undefined;
}
