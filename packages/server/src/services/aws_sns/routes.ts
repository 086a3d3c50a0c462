// Topics, subscriptions, apps and endpoints of SNS (contract/services-other.md §5), and what is published to them.
import type { PublishCommandInput } from '@aws-sdk/client-sns';
import { fail, truthy, type Verb } from '@sluice/contract';
import { decideFor } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { type ObjectShape, type Operations, type Resource, routesOf } from '../../service/operation.ts';
import { rootRoute } from '../../service/root.ts';
import type { OpenService } from '../../service/service.ts';
import { type Identifiers, type Kind, shortName } from './identifiers.ts';
import type { Sns } from './sns.ts';

export interface SnsService extends OpenService {
  sns: Sns;
  identifiers: Identifiers;
}

/** Pages of a list that are read: SNS has a hundred on one. */
const maxPages = 10;
/** Bytes of a message: what SNS takes. */
const maxMessage = 256 * 1024;

type Item = Record<string, unknown>;
type Attributes = Record<string, string>;

/** What is particular to a kind of thing of SNS. */
interface KindOfThing {
  kind: Kind;
  /** The name of its short name in answers, as older servers had it. */
  field: string;
  words: { one: string; several: string };
  createFields: ObjectShape;
  list(
    service: SnsService,
    call: Call,
    token: string | undefined,
  ): Promise<{ items: Item[]; next: string | undefined }>;
  get(service: SnsService, arn: string): Promise<Item>;
  create(service: SnsService, body: RecordInput, call: Call): Promise<Item>;
  update(service: SnsService, arn: string, attributes: Attributes): Promise<void>;
  remove(service: SnsService, arn: string): Promise<void>;
}

/**
 * The ARN of a name or an ARN that the caller may use. Roles name what there is as they like: a right on one spelling is none where
 * the other one is refused.
 */
async function allowedArn(
  call: Call,
  verb: Verb,
  kind: Kind,
  identifier: unknown,
  service: SnsService,
): Promise<string> {
  const arn = await service.identifiers.arnOf(kind, identifier);
  for (const name of [shortName(arn), arn]) {
    const component = `${kind}/${name}`;
    if (!decideFor(call.caller, verb, call.service, component).allowed)
      throw fail('access.deniedInside', { verb, component, service: call.service });
  }
  return arn;
}

const send: Sns['call'] extends infer T ? (service: SnsService) => T : never = ({ sns }) => sns.call;

const topics: KindOfThing = {
  kind: 'topic',
  field: 'Topic',
  words: { one: 'a topic', several: 'topics' },
  createFields: { Name: { type: 'string', required: true, example: 'news' }, Attributes: { type: 'object' } },
  async list(service, _call, NextToken) {
    const page = await send(service)((client, { ListTopicsCommand }, options) =>
      client.send(new ListTopicsCommand({ NextToken }), options),
    );
    return { items: (page.Topics ?? []).map(({ TopicArn = '' }) => topicOf(TopicArn)), next: page.NextToken };
  },
  async get(service, TopicArn) {
    const { Attributes } = await send(service)((client, { GetTopicAttributesCommand }, options) =>
      client.send(new GetTopicAttributesCommand({ TopicArn }), options),
    );
    return { ...topicOf(TopicArn), ...Attributes };
  },
  async create(service, body) {
    const input = { Name: textIn(body, 'Name'), Attributes: attributesIn(body.Attributes, 'Attributes') };
    const { TopicArn = '' } = await send(service)((client, { CreateTopicCommand }, options) =>
      client.send(new CreateTopicCommand(input), options),
    );
    return topicOf(TopicArn);
  },
  update: (service, TopicArn, attributes) =>
    oneByOne(attributes, (AttributeName, AttributeValue) =>
      send(service)((client, { SetTopicAttributesCommand }, options) =>
        client.send(new SetTopicAttributesCommand({ TopicArn, AttributeName, AttributeValue }), options),
      ),
    ),
  async remove(service, TopicArn) {
    await send(service)((client, { DeleteTopicCommand }, options) =>
      client.send(new DeleteTopicCommand({ TopicArn }), options),
    );
  },
};

const subscriptions: KindOfThing = {
  kind: 'subscription',
  field: 'Subscription',
  words: { one: 'a subscription', several: 'subscriptions' },
  createFields: {
    Topic: { type: 'string', required: true, description: 'Name or ARN; TopicArn is the same.' },
    Protocol: { type: 'string', required: true, example: 'https' },
    Endpoint: { type: 'string', description: 'Where its messages go.' },
  },
  async list(service, call, NextToken) {
    const topic = call.query.get('topic');
    const TopicArn = topic ? await allowedArn(call, 'GET', 'topic', topic, service) : undefined;
    const page = await send(service)((client, library, options) =>
      TopicArn === undefined
        ? client.send(new library.ListSubscriptionsCommand({ NextToken }), options)
        : client.send(new library.ListSubscriptionsByTopicCommand({ TopicArn, NextToken }), options),
    );
    const items = (page.Subscriptions ?? []).map(({ SubscriptionArn = '', TopicArn: of = '', ...rest }) => ({
      ...{ Subscription: shortName(SubscriptionArn), SubscriptionArn },
      ...topicOf(of),
      ...rest,
    }));
    return { items, next: page.NextToken };
  },
  async get(service, SubscriptionArn) {
    const { Attributes } = await send(service)((client, { GetSubscriptionAttributesCommand }, options) =>
      client.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }), options),
    );
    return { Subscription: shortName(SubscriptionArn), SubscriptionArn, ...Attributes };
  },
  async create(service, body, call) {
    const Protocol = textIn(body, 'Protocol');
    const Endpoint = body.Endpoint === undefined ? undefined : textIn(body, 'Endpoint');
    const TopicArn = await allowedArn(call, 'GET', 'topic', body.TopicArn ?? body.Topic, service);
    const { SubscriptionArn = '' } = await send(service)((client, { SubscribeCommand }, options) =>
      client.send(new SubscribeCommand({ TopicArn, Protocol, Endpoint }), options),
    );
    return { Subscription: shortName(SubscriptionArn), SubscriptionArn };
  },
  update: (service, SubscriptionArn, attributes) =>
    oneByOne(attributes, (AttributeName, AttributeValue) =>
      send(service)((client, { SetSubscriptionAttributesCommand }, options) =>
        client.send(new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue }), options),
      ),
    ),
  async remove(service, SubscriptionArn) {
    await send(service)((client, { UnsubscribeCommand }, options) =>
      client.send(new UnsubscribeCommand({ SubscriptionArn }), options),
    );
  },
};

const apps: KindOfThing = {
  kind: 'app',
  field: 'Application',
  words: { one: 'an app', several: 'apps' },
  createFields: {
    Name: { type: 'string', required: true, example: 'shop' },
    Platform: { type: 'string', required: true, example: 'GCM' },
    Attributes: { type: 'object', required: true, description: 'Of the platform: PlatformCredential, for one.' },
  },
  async list(service, _call, NextToken) {
    const page = await send(service)((client, { ListPlatformApplicationsCommand }, options) =>
      client.send(new ListPlatformApplicationsCommand({ NextToken }), options),
    );
    const items = (page.PlatformApplications ?? []).map(({ PlatformApplicationArn = '', Attributes }) => ({
      ...appOf(PlatformApplicationArn),
      Attributes,
    }));
    return { items, next: page.NextToken };
  },
  async get(service, PlatformApplicationArn) {
    const { Attributes } = await send(service)((client, { GetPlatformApplicationAttributesCommand }, options) =>
      client.send(new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn }), options),
    );
    return { ...appOf(PlatformApplicationArn), ...Attributes };
  },
  async create(service, body) {
    const input = {
      ...{ Name: textIn(body, 'Name'), Platform: textIn(body, 'Platform') },
      Attributes: attributesIn(body.Attributes, 'Attributes') ?? {},
    };
    const { PlatformApplicationArn = '' } = await send(service)((client, library, options) =>
      client.send(new library.CreatePlatformApplicationCommand(input), options),
    );
    return appOf(PlatformApplicationArn);
  },
  async update(service, PlatformApplicationArn, Attributes) {
    await send(service)((client, { SetPlatformApplicationAttributesCommand }, options) =>
      client.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes }), options),
    );
  },
  async remove(service, PlatformApplicationArn) {
    await send(service)((client, { DeletePlatformApplicationCommand }, options) =>
      client.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn }), options),
    );
  },
};

const endpoints: KindOfThing = {
  kind: 'endpoint',
  field: 'Endpoint',
  words: { one: 'an endpoint', several: 'endpoints' },
  createFields: {
    Application: { type: 'string', required: true, description: 'Name or ARN; PlatformApplicationArn is the same.' },
    Token: { type: 'string', required: true, description: 'The token of the device.' },
    CustomUserData: { type: 'string' },
    Attributes: { type: 'object' },
  },
  async list(service, call, token) {
    const app = call.query.get('application');
    if (app) return endpointsOf(service, await allowedArn(call, 'GET', 'app', app, service), token);
    // SNS lists them by app alone.
    const all = await pagesOf((next) => apps.list(service, call, next));
    const items: Item[] = [];
    for (const { PlatformApplicationArn } of all) {
      items.push(...(await pagesOf((next) => endpointsOf(service, String(PlatformApplicationArn), next))));
      if (items.length >= maxPages * 100) break;
    }
    return { items, next: undefined };
  },
  async get(service, EndpointArn) {
    const { Attributes } = await send(service)((client, { GetEndpointAttributesCommand }, options) =>
      client.send(new GetEndpointAttributesCommand({ EndpointArn }), options),
    );
    return { ...endpointOf(EndpointArn), ...Attributes };
  },
  async create(service, body, call) {
    const app = body.PlatformApplicationArn ?? body.Application;
    const Token = textIn(body, 'Token');
    const input = {
      PlatformApplicationArn: await allowedArn(call, 'GET', 'app', app, service),
      Token,
      CustomUserData: body.CustomUserData === undefined ? undefined : textIn(body, 'CustomUserData'),
      Attributes: attributesIn(body.Attributes, 'Attributes'),
    };
    const { EndpointArn = '' } = await send(service)((client, { CreatePlatformEndpointCommand }, options) =>
      client.send(new CreatePlatformEndpointCommand(input), options),
    );
    return endpointOf(EndpointArn);
  },
  async update(service, EndpointArn, Attributes) {
    await send(service)((client, { SetEndpointAttributesCommand }, options) =>
      client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }), options),
    );
  },
  async remove(service, EndpointArn) {
    await send(service)((client, { DeleteEndpointCommand }, options) =>
      client.send(new DeleteEndpointCommand({ EndpointArn }), options),
    );
  },
};

const topicOf = (TopicArn: string) => ({ Topic: shortName(TopicArn), TopicArn });
const appOf = (arn: string) => ({ Application: shortName(arn), PlatformApplicationArn: arn });
const endpointOf = (EndpointArn: string) => ({ Endpoint: shortName(EndpointArn), EndpointArn });

async function endpointsOf(service: SnsService, PlatformApplicationArn: string, NextToken: string | undefined) {
  const page = await send(service)((client, { ListEndpointsByPlatformApplicationCommand }, options) =>
    client.send(new ListEndpointsByPlatformApplicationCommand({ PlatformApplicationArn, NextToken }), options),
  );
  const items = (page.Endpoints ?? []).map(({ EndpointArn = '', Attributes }) => ({
    ...endpointOf(EndpointArn),
    Attributes,
  }));
  return { items, next: page.NextToken };
}

/** All items of the pages, up to the bound; a server that goes round ends, too. */
async function pagesOf(
  read: (next: string | undefined) => Promise<{ items: Item[]; next: string | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let next: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const found = await read(next);
    items.push(...found.items);
    if (!found.next || found.next === next) break;
    next = found.next;
  }
  return items;
}

async function oneByOne(attributes: Attributes, set: (name: string, value: string) => Promise<unknown>): Promise<void> {
  for (const [name, value] of Object.entries(attributes)) await set(name, value);
}

// ---- operations ----

const route = routesOf<SnsService>();

const messageFields: ObjectShape = {
  Message: { required: true, description: 'A text; an object is sent as JSON.', example: 'Hello' },
  Subject: { type: 'string' },
  MessageStructure: { type: 'string', description: 'json, where the message has a text for each protocol.' },
  MessageAttributes: { type: 'object', description: 'By name: DataType, and StringValue.' },
};
const publishes = {
  body: 'object',
  bodyFields: messageFields,
  answer: 'object',
  answerFields: { MessageId: { type: 'string' } },
} as const;
const publishErrors = ['push.nothingToPublish', 'push.tooLarge'] as const;
const outsideErrors = ['push.unreachable'] as const;

function routesOfKind(thing: KindOfThing) {
  const { kind, field, words } = thing;
  const itemFields: ObjectShape = { [field]: { type: 'string', description: 'The ARN without its beginning.' } };
  const parameters =
    kind === 'subscription' ? ['as_list', 'topic'] : kind === 'endpoint' ? ['as_list', 'application'] : ['as_list'];
  const updates = {
    summary: `Change ${words.one}`,
    body: 'object',
    bodyFields: {
      Attributes: { type: 'object', description: 'Values by name.' },
      AttributeName: { type: 'string', description: 'With AttributeValue: one of them.' },
      AttributeValue: { type: 'string' },
    },
    answer: 'success',
    errors: ['push.badIdentifier', 'push.badField', ...outsideErrors],
    async handle(call: Call, { id }: { id: string }, service: SnsService): Promise<Reply> {
      const body = await bodyOf(call);
      const { AttributeName, AttributeValue, Attributes } = body;
      const attributes =
        AttributeName === undefined
          ? attributesIn(Attributes, 'Attributes')
          : attributesIn({ [textIn(body, 'AttributeName')]: AttributeValue }, 'AttributeValue');
      if (!attributes) throw fail('push.badField', { field: 'Attributes', kind: 'an object of texts' });
      await thing.update(service, await allowedArn(call, call.verb, kind, id, service), attributes);
      return answer({ success: true });
    },
  } as const;
  const canPublish = kind === 'topic' || kind === 'endpoint';
  const ofOne: Operations<SnsService, '{+id}'> = {
    GET: {
      summary: `Read ${words.one}`,
      answer: 'object',
      answerFields: itemFields,
      errors: ['push.badIdentifier', ...outsideErrors],
      handle: async (call, { id }, service) =>
        answer(await thing.get(service, await allowedArn(call, 'GET', kind, id, service))),
    },
    ...(canPublish
      ? {
          POST: {
            ...publishes,
            summary: `Publish to ${words.one}`,
            errors: ['push.badIdentifier', ...publishErrors, ...outsideErrors],
            handle: async (call, { id }, service) => publish(service, call, kind, id, await bodyOf(call)),
          },
        }
      : {}),
    PUT: updates,
    PATCH: updates,
    DELETE: {
      summary: `Delete ${words.one}`,
      answer: 'success',
      errors: ['push.badIdentifier', ...outsideErrors],
      async handle(call, { id }, service) {
        await thing.remove(service, await allowedArn(call, 'DELETE', kind, id, service));
        return answer({ success: true });
      },
    },
  };
  return [
    route('', {
      GET: {
        summary: `List ${words.several}`,
        description: 'At most 1,000.',
        parameters,
        answer: 'object',
        answerFields: { resource: { type: 'array', items: { type: 'object', fields: itemFields } } },
        errors: outsideErrors,
        async handle(call, _values, service) {
          const items = await pagesOf((next) => thing.list(service, call, next));
          for (const item of items) for (const value of Object.values(item)) noteArn(service, value);
          return answer({ resource: truthy(call.query.get('as_list')) ? items.map((item) => item[field]) : items });
        },
      },
      POST: {
        summary: `Create ${words.one}`,
        body: 'object',
        bodyFields: thing.createFields,
        answer: 'object',
        answerFields: itemFields,
        status: 201,
        errors: ['push.badField', ...outsideErrors],
        async handle(call, _values, service) {
          const item = await thing.create(service, await bodyOf(call), call);
          for (const value of Object.values(item)) noteArn(service, value);
          return answer(item, 201);
        },
      },
    }),
    route('{+id}', ofOne),
  ];
}

const noteArn = ({ identifiers }: SnsService, value: unknown): void =>
  typeof value === 'string' ? identifiers.note(value) : undefined;

export const resources: readonly Resource<SnsService>[] = [
  {
    entry: { name: 'topic', label: 'Topic', description: 'Topics, and what is published to them.' },
    routes: routesOfKind(topics),
  },
  {
    entry: { name: 'subscription', label: 'Subscription', description: 'Who gets what is published.' },
    routes: routesOfKind(subscriptions),
  },
  { entry: { name: 'app', label: 'Application', description: 'Apps of push services.' }, routes: routesOfKind(apps) },
  { entry: { name: 'endpoint', label: 'Endpoint', description: 'Devices of apps.' }, routes: routesOfKind(endpoints) },
];

export const rootRoutes = [
  route('', {
    ...rootRoute(resources, true).operations,
    POST: {
      ...publishes,
      summary: 'Publish to a topic or an endpoint',
      bodyFields: {
        Topic: { type: 'string', description: 'Name or ARN; TopicArn is the same.' },
        Endpoint: { type: 'string', description: 'Name or ARN; EndpointArn is the same.' },
        ...messageFields,
      },
      errors: ['push.noTarget', 'push.badIdentifier', ...publishErrors, ...outsideErrors],
      async handle(call, _values, service) {
        const body = await bodyOf(call);
        const { Topic, TopicArn = Topic, Endpoint, EndpointArn = Endpoint } = body;
        if (TopicArn === undefined && EndpointArn === undefined) throw fail('push.noTarget');
        const kind = TopicArn === undefined ? 'endpoint' : 'topic';
        return publish(service, call, kind, TopicArn ?? EndpointArn, body);
      },
    },
  }),
];

async function publish(
  service: SnsService,
  call: Call,
  kind: 'topic' | 'endpoint',
  target: unknown,
  body: RecordInput,
): Promise<Reply> {
  const { Message, message: lower, Subject, MessageStructure, MessageAttributes } = body;
  const content = Message ?? lower;
  if (content === undefined || content === null || content === '') throw fail('push.nothingToPublish');
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (Buffer.byteLength(text) > maxMessage) throw fail('push.tooLarge', { limit: maxMessage });
  const arn = await allowedArn(call, 'POST', kind, target, service);
  const input: PublishCommandInput = {
    ...(kind === 'topic' ? { TopicArn: arn } : { TargetArn: arn }),
    Message: text,
    ...(Subject === undefined ? {} : { Subject: textIn(body, 'Subject') }),
    ...(MessageStructure === undefined ? {} : { MessageStructure: textIn(body, 'MessageStructure') }),
    ...(MessageAttributes === undefined ? {} : { MessageAttributes: messageAttributes(MessageAttributes) }),
  };
  const { MessageId } = await send(service)((client, { PublishCommand }, options) =>
    client.send(new PublishCommand(input), options),
  );
  return answer({ MessageId: MessageId ?? null });
}

// ---- what calls say ----

async function bodyOf(call: Call): Promise<RecordInput> {
  const body = await call.body();
  return isRecord(body) ? body : {};
}

function textIn(body: RecordInput, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw fail('push.badField', { field, kind: 'a text' });
  return value;
}

function attributesIn(input: unknown, field: string): Attributes | undefined {
  if (input === undefined || input === null) return undefined;
  const entries = isRecord(input) ? Object.entries(input) : undefined;
  if (!entries || entries.length === 0 || entries.length > 50 || entries.some(([, value]) => typeof value !== 'string'))
    throw fail('push.badField', { field, kind: 'an object of texts' });
  return Object.fromEntries(entries) as Attributes;
}

function messageAttributes(input: unknown): NonNullable<PublishCommandInput['MessageAttributes']> {
  const refuse = () =>
    fail('push.badField', { field: 'MessageAttributes', kind: 'an object of DataType and StringValue' });
  if (!isRecord(input) || Object.keys(input).length > 50) throw refuse();
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (!isRecord(value)) throw refuse();
      const { DataType = 'String', StringValue } = value;
      if (typeof DataType !== 'string' || typeof StringValue !== 'string') throw refuse();
      return [name, { DataType, StringValue }];
    }),
  );
}
