// Services that send notifications to devices (contract/services-other.md §5): every such type is made by `pushType`, over the
// `PushTransport` that its folder opens. Devices are registered by app; events push their message by `service_event_map`.
import { type ConfigFields, type ConfigOf, Failure, fail, configField as field } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { type CallSlots, createCallSlots } from '../call/call-slots.ts';
import { isRecord, type RecordInput } from '../call/payload.ts';
import { TypedMap } from '../call/typed-map.ts';
import { queueableService } from '../scripts/queue.ts';
import { type ObjectShape, type Operations, type Resource, routesOf } from '../service/operation.ts';
import {
  type OpenService,
  type ServiceContext,
  type ServiceType,
  serviceType,
  type TypeDefinition,
} from '../service/service.ts';
import type { Store } from '../store/index.ts';
import { createDeviceTokens, type DeviceTokens, maxTokens } from './tokens.ts';
import type { Delivery, Notification, PushTransport } from './transport.ts';

export { type Delivery, inLanes, type Notification, type PushTransport } from './transport.ts';

/** [EVMAP], with a label of its own for what is sent. */
export const eventMapField = {
  service_event_map: field.rows<{ event: string | null; data: string | null }>({
    label: 'Service Event',
    description:
      'Events that send a message to the devices of the app that they come from. {service}.* stands for all events of a service.',
    items: [
      { name: 'event', label: 'Event', type: 'event_picklist', allow_null: false },
      { name: 'data', label: 'Message', type: 'text', description: 'Blank: the name of the event.' },
    ],
    literal: true,
  }),
};

/** What is particular to a type; the rest is the same for all. */
interface PushTypeDefinition<F extends ConfigFields>
  extends Pick<TypeDefinition<F, never>, 'name' | 'label' | 'description' | 'address' | 'check'> {
  config: F;
  /** What a notification holds besides its message. */
  messageFields: ObjectShape;
  /** Its root lists `feedback`. */
  hasFeedback?: true;
  open(config: ConfigOf<F>): PushTransport;
  test?(config: ConfigOf<F>): Promise<void>;
}

interface PushService extends OpenService {
  tokens: DeviceTokens;
  transport: PushTransport;
  slots: CallSlots;
  /** Sends, and takes dead tokens out. Throws where no device got it. */
  send(app: PushApp, tokens: readonly string[], notification: Notification, signal: AbortSignal): Promise<void>;
}

interface PushApp {
  id: number;
  name: string;
}

/** Pushes at a time, each to many devices, and milliseconds that one waits, and takes. */
const maxPushes = 8;
const maxWaiting = 200;
const waitTime = 10_000;
const pushTime = 60_000;
/** Tokens that a call names, and characters of one. */
const maxNamed = 1_000;
const maxToken = 4_096;

/** Declares a type of service that sends notifications to devices. */
export function pushType<F extends ConfigFields>(
  store: Pick<Store, 'db' | 'insert' | 'isDuplicate'>,
  { open, test, hasFeedback, messageFields, ...facts }: PushTypeDefinition<F>,
): ServiceType<F> {
  const resources: Resource<PushService>[] = [
    {
      entry: { name: 'push', label: 'Push', description: 'Sends notifications.' },
      components: ['push/'],
      routes: [route('', pushOperations(messageFields))],
    },
    {
      entry: { name: 'register', label: 'Register', description: 'The devices of an app.' },
      components: ['register/'],
      routes: [route('', registerOperations)],
    },
    ...(hasFeedback
      ? [
          {
            entry: { name: 'feedback', label: 'Feedback', description: 'Devices that are gone.' },
            components: ['feedback/'],
            routes: [route('', feedbackOperations)],
          },
        ]
      : []),
  ];
  return serviceType<F, PushService>({
    ...facts,
    group: 'Notification',
    can: { accessList: true },
    resources,
    ...(test ? { test } : {}),
    open: (config, context) => openService(open(config), store, context),
  });
}

function openService(
  transport: PushTransport,
  store: Pick<Store, 'db' | 'insert' | 'isDuplicate'>,
  { id, log }: ServiceContext,
): PushService {
  const tokens = createDeviceTokens(store, id);

  const send: PushService['send'] = async (app, devices, notification, outer) => {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(pushTime)]);
    const deliveries = await transport.send(devices, notification, signal);
    await tokens.buryDead(app.id, deliveries);
    const failed = deliveries.filter(({ problem }) => problem);
    if (failed.length === 0) return;
    const text = firstProblem(failed);
    if (failed.length < deliveries.length) {
      log.warn(
        { app: app.id, failed: failed.length, of: deliveries.length },
        `Some devices got no notification: ${text}`,
      );
      return;
    }
    if (failed.every(({ problem }) => problem?.isDead)) throw fail('push.noDevices', { app: app.name });
    throw fail('push.refused', { text });
  };

  /** For events of `service_event_map`: what fails is logged, and leaves everything else alone (contract §8). */
  async function runQueued({ caller: { app }, signal }: Call, event: Record<string, unknown>): Promise<void> {
    const message = typeof event.data === 'string' ? event.data : '';
    if (!app || message === '') return;
    try {
      const devices = (await tokens.list(app.id)).map(({ device_token }) => device_token);
      const notification = { message };
      transport.check(notification);
      if (devices.length > 0) await send(app, devices, notification, signal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.warn({ app: app.id, event: event.name, err: error }, 'An event sent no notification.');
    }
  }

  return {
    ...{ tokens, transport, send },
    slots: createCallSlots({ total: maxPushes, kept: 2, maxWaiting, waitTime, busy: () => fail('push.busy') }),
    provides: new TypedMap().set(queueableService, { runQueued }),
    close: async () => transport.close?.(),
  };
}

const firstProblem = (failed: readonly Delivery[]): string => failed[0]?.problem?.text ?? '';

// ---- operations ----

const route = routesOf<PushService>();

const appFields: ObjectShape = {
  api_key: { type: 'string', description: 'Of another app than that of the call.' },
};
const tokenShape = { type: 'string', description: 'The token of a device.' } as const;

const pushOperations = (messageFields: ObjectShape): Operations<PushService> => ({
  POST: {
    summary: 'Send a notification to the devices of an app',
    description: 'To all that are registered, or to those that are named. Success: at least one was taken.',
    body: 'object',
    bodyFields: {
      message: { type: 'string', required: true, description: 'What is shown.', example: 'Hello' },
      ...messageFields,
      device_token: { description: 'A token, or a list of them: 1,000 at most.' },
      ...appFields,
    },
    answer: 'success',
    errors: ['push.noMessage', 'push.noKey', 'push.noDevices', 'push.badToken', 'push.tooManyTokens'],
    handle: push,
  },
});

const registerOperations: Operations<PushService> = {
  GET: {
    summary: 'List the devices of an app',
    parameters: ['api_key'],
    answer: 'object',
    answerFields: {
      resource: {
        type: 'array',
        items: {
          type: 'object',
          fields: {
            ...{ id: { type: 'integer' }, service_id: { type: 'integer' }, app_id: { type: 'integer' } },
            device_token: tokenShape,
            created_date: { type: 'string' },
            last_modified_date: { type: 'string' },
          },
        },
      },
    },
    errors: ['push.noKey'],
    async handle(call, _values, { tokens }) {
      const app = await appOf(call, {}, tokens);
      return answer({ resource: await tokens.list(app.id) });
    },
  },
  POST: {
    summary: 'Register a device of an app',
    body: 'object',
    bodyFields: { device_token: { ...tokenShape, required: true }, ...appFields },
    answer: 'object',
    answerFields: { id: { type: 'integer' } },
    status: 201,
    errors: ['push.noKey', 'push.noToken', 'push.badToken', 'push.registered'],
    async handle(call, _values, { tokens, transport }) {
      const body = await bodyOf(call);
      const app = await appOf(call, body, tokens);
      return answer({ id: await tokens.add(app.id, tokenOf(body.device_token, transport)) }, 201);
    },
  },
  PUT: replaces(),
  PATCH: replaces(),
  DELETE: {
    summary: 'Forget all devices of an app',
    parameters: ['api_key'],
    answer: 'success',
    errors: ['push.noKey'],
    async handle(call, _values, { tokens }) {
      await tokens.removeAll((await appOf(call, await bodyOf(call), tokens)).id);
      return answer({ success: true });
    },
  },
};

function replaces() {
  return {
    summary: 'Put a new token of a device in the place of the old one',
    body: 'object',
    bodyFields: {
      old_token: { type: 'string', required: true, description: 'The token that is registered.' },
      new_token: { type: 'string', description: 'The one that takes its place; device_token is the same.' },
      device_token: tokenShape,
      ...appFields,
    },
    answer: 'object',
    answerFields: { id: { type: 'integer' } },
    errors: ['push.noKey', 'push.noToken', 'push.badToken', 'push.oldTokenUnknown'],
    async handle(call: Call, _values: unknown, { tokens, transport }: PushService): Promise<Reply> {
      const body = await bodyOf(call);
      const app = await appOf(call, body, tokens);
      const old = tokenOf(body.old_token, transport);
      return answer({ id: await tokens.replace(app.id, old, tokenOf(body.new_token ?? body.device_token, transport)) });
    },
  } as const;
}

const feedbackOperations: Operations<PushService> = {
  GET: {
    summary: 'List the devices that are gone',
    description: 'Tokens that the push service refused as dead in the last 30 days. They are registered no more.',
    parameters: ['api_key'],
    answer: 'object',
    answerFields: {
      resource: {
        type: 'array',
        items: { type: 'object', fields: { device_token: tokenShape, date: { type: 'string' } } },
      },
    },
    errors: ['push.noKey'],
    async handle(call, _values, { tokens }) {
      return answer({ resource: await tokens.dead((await appOf(call, {}, tokens)).id) });
    },
  },
};

async function push(call: Call, _values: unknown, service: PushService): Promise<Reply> {
  const { tokens, transport, slots } = service;
  const { api_key, device_token: named, ...notification } = await bodyOf(call);
  if (typeof notification.message !== 'string' || notification.message === '') throw fail('push.noMessage');
  transport.check(notification);
  const app = await appOf(call, { api_key }, tokens);
  const devices = named === undefined || named === null ? await registered(app, tokens) : namedTokens(named, transport);
  await slots.run(call, () => service.send(app, devices, notification, call.signal));
  return answer({ success: true });
}

async function registered(app: PushApp, tokens: DeviceTokens): Promise<string[]> {
  const found = await tokens.list(app.id);
  if (found.length === 0) throw fail('push.noDevices', { app: app.name });
  return found.map(({ device_token }) => device_token);
}

function namedTokens(input: unknown, transport: PushTransport): string[] {
  const list = Array.isArray(input) ? input : [input];
  if (list.length > maxNamed) throw fail('push.tooManyTokens', { limit: Math.min(maxNamed, maxTokens) });
  const named = [...new Set(list.map((token) => tokenOf(token, transport)))];
  if (named.length === 0) throw fail('push.noToken');
  return named;
}

function tokenOf(input: unknown, transport: PushTransport): string {
  if (input === undefined || input === null || input === '') throw fail('push.noToken');
  if (typeof input !== 'string' || input.length > maxToken || !/^[\x21-\x7e]+$/.test(input))
    throw fail('push.badToken');
  transport.checkToken(input);
  return input;
}

/** The app whose devices are meant: of a key that the call names, else of its own. */
async function appOf(call: Call, body: RecordInput, tokens: DeviceTokens): Promise<PushApp> {
  const key = body.api_key ?? call.query.get('api_key');
  if (typeof key !== 'string' || key === '') {
    if (!call.caller.app) throw fail('push.noKey');
    return call.caller.app;
  }
  if (key === call.caller.app?.apiKey) return call.caller.app;
  const app = await tokens.appOfKey(key);
  if (!app) throw fail('push.noKey');
  return app;
}

async function bodyOf(call: Call): Promise<RecordInput> {
  const body = await call.body();
  return isRecord(body) ? body : {};
}
