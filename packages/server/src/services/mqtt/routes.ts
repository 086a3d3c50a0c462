// What a service of a broker offers: publishing, and subscriptions.
import { fail, secretMask } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';
import type { Subscriptions } from '../../messages/index.ts';
import { type MessageCall, readMessageCall, shownCall } from '../../messages/message-call.ts';
import { ownerOf } from '../../messages/stored.ts';
import { readTopicFilter, readTopicName } from '../../messages/topics.ts';
import { scriptBudget } from '../../scripts/budget.ts';
import { type ObjectShape, type Resource, routesOf } from '../../service/operation.ts';
import type { OpenService } from '../../service/service.ts';
import { type BrokerConnection, maxMessage } from './connection.ts';

export interface MqttService extends OpenService {
  id: number;
  connection: BrokerConnection;
  subscriptions: Subscriptions;
}

// ---- publishing ----

const route = routesOf<MqttService>();

const pubRoutes = [
  route('', {
    POST: {
      summary: 'Publish a message',
      description: 'The answer comes once the broker has the message. An object or a list is sent as JSON.',
      body: 'object',
      bodyFields: {
        topic: {
          type: 'string',
          required: true,
          description: 'One topic, without wildcards.',
          example: 'site/temperature',
        },
        message: { required: true, description: 'A text, a number, an object or a list.', example: '21.5' },
      },
      answer: 'success',
      errors: ['message.noTopic', 'message.noMessage', 'message.badTopic', 'message.tooLarge', 'message.unreachable'],
      handle: publish,
    },
  }),
];

async function publish(call: Call, _values: unknown, { connection }: MqttService): Promise<Reply> {
  const body = await call.body();
  const { topic, message } = isRecord(body) ? body : {};
  const name = readTopicName(topic);
  if (message === undefined || message === null) throw fail('message.noMessage');
  const content = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  if (content.length > maxMessage) throw fail('message.tooLarge', { limit: maxMessage });
  await connection.publish(name, content, call.state.get(scriptBudget)?.generation ?? 0);
  return answer({ success: true });
}

// ---- subscriptions ----

const callFields: ObjectShape = {
  endpoint: { type: 'string', required: true, description: 'A service and what stands behind it: db/_table/reading.' },
  verb: { type: 'string', description: 'POST where it is not named.' },
  header: { type: 'object', description: 'Headers by name.' },
  parameter: { type: 'object', description: 'Parameters by name.' },
  payload: {
    description:
      'The body. A text {message} in it becomes the message, {message.name} a value of a message that is JSON, {topic} and {topic.1} the topic and its levels; without any of them an object gets the message as message.',
  },
};
const subscriptionFields: ObjectShape = {
  topic: { type: 'string', required: true, description: 'A topic, or several by the wildcards + and #.' },
  service: {
    type: 'object',
    required: true,
    description: 'The call that is made for each message.',
    fields: callFields,
  },
};
const bodyExample = {
  topic: 'site/+/temperature',
  service: {
    endpoint: 'db/_table/reading',
    verb: 'POST',
    payload: { resource: [{ place: '{topic.2}', value: '{message}' }] },
  },
};

const subRoutes = [
  route('', {
    GET: {
      summary: 'List subscriptions',
      description: 'Those of the caller; administrators see all. Counts are those of all processes.',
      answer: 'object',
      answerFields: {
        resource: {
          type: 'array',
          items: {
            type: 'object',
            fields: {
              id: { type: 'integer' },
              ...subscriptionFields,
              created_date: { type: 'string' },
              user_id: { type: 'integer', nullable: true },
              app_id: { type: 'integer', nullable: true },
              calls: { type: 'integer', description: 'Calls that were made.' },
              failures: { type: 'integer', description: 'Those of them that failed.' },
              dropped: { type: 'integer', description: 'Messages that no call was made for.' },
              last_error: { type: 'string', nullable: true },
            },
          },
        },
      },
      handle: list,
    },
    POST: {
      summary: 'Subscribe: have calls made for messages',
      description:
        'Each call is made as the caller, with what they may do when the message arrives. What is subscribed to already stays as it is.',
      body: 'object',
      bodyFields: {
        resource: {
          type: 'array',
          required: true,
          items: { type: 'object', fields: subscriptionFields },
          example: [bodyExample],
        },
      },
      answer: 'success',
      errors: [
        'message.noSubscriptions',
        'message.noTopic',
        'message.badTopic',
        'message.badCall',
        'message.tooManySubscriptions',
      ],
      handle: subscribe,
    },
    DELETE: {
      summary: 'Unsubscribe from a topic, or from all',
      description: 'Subscriptions of the caller; of all callers for administrators.',
      parameters: ['topic'],
      answer: 'success',
      errors: ['message.notSubscribed'],
      handle: unsubscribe,
    },
  }),
];

export const resources: readonly Resource<MqttService>[] = [
  {
    entry: { name: 'pub', label: 'Publish', description: 'Publishes messages.' },
    components: ['pub/'],
    routes: pubRoutes,
  },
  {
    entry: { name: 'sub', label: 'Subscribe', description: 'Calls for messages.' },
    components: ['sub/'],
    routes: subRoutes,
  },
];

async function list(call: Call, _values: unknown, service: MqttService): Promise<Reply> {
  const own = ownerOf(call.caller);
  const found = await service.subscriptions.list(service.id, call);
  return answer({
    resource: found.map(({ caller: _caller, origin: _origin, call: made, id, topic, ...row }) => {
      const isOwn = own && ('user_id' in own ? row.user_id === own.user_id : row.app_id === own.app_id);
      return { id, topic, service: shownCall(made, isOwn ? undefined : secretMask), ...row };
    }),
  });
}

/** Subscriptions of one call. */
const maxAtOnce = 50;

async function subscribe(call: Call, _values: unknown, service: MqttService): Promise<Reply> {
  const body = await call.body();
  const inner = isRecord(body) && 'resource' in body ? body.resource : body;
  const entries = Array.isArray(inner) ? inner : isRecord(inner) ? [inner] : [];
  if (entries.length === 0) throw fail('message.noSubscriptions');
  if (entries.length > maxAtOnce) throw fail('message.tooManySubscriptions', { limit: maxAtOnce });
  const list = entries.map((entry: unknown): { topic: string; call: MessageCall } => {
    if (!isRecord(entry)) throw fail('message.noSubscriptions');
    const topic = readTopicFilter(entry.topic);
    return { topic, call: readMessageCall(topic, entry.service) };
  });
  await service.subscriptions.add(service.id, call, list);
  return answer({ success: true });
}

async function unsubscribe(call: Call, _values: unknown, service: MqttService): Promise<Reply> {
  const body = await call.body();
  const sent = call.query.get('topic') ?? (isRecord(body) ? body.topic : undefined);
  const topic = sent === undefined ? undefined : readTopicFilter(sent);
  const count = await service.subscriptions.remove(service.id, call, topic);
  if (topic !== undefined && count === 0) throw fail('message.notSubscribed', { topic });
  return answer({ success: true });
}
