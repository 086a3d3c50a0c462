// A server that speaks as Amazon SNS documents it: calls are forms (`Action=…`), answers XML (query protocol, 2010-03-31).
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SnsServer {
  base: string;
  /** The forms that came, with their headers. */
  calls: { action: string; form: Record<string, string>; headers: IncomingHttpHeaders }[];
  published: Record<string, string>[];
  /** Answers the next calls so, in place of what was asked for: XML, or a status with the code of an error. */
  fail(answer: { status: number; code: string; message?: string } | { endless: true } | undefined): void;
  stop(): Promise<void>;
}

const account = 'arn:aws:sns:eu-west-1:123456789012:';
const pageSize = 3;

export async function startSns(): Promise<SnsServer> {
  const things = new Map<string, Record<string, string>>();
  const calls: SnsServer['calls'] = [];
  const published: Record<string, string>[] = [];
  let failing: Parameters<SnsServer['fail']>[0];
  let count = 0;

  const ofKind = (beginning: string) => [...things.keys()].filter((arn) => arn.startsWith(account + beginning));
  const topics = () => [...things.keys()].filter((arn) => /^[\w-]+(\.fifo)?$/.test(arn.slice(account.length)));
  const subscriptions = () => [...things.keys()].filter((arn) => /^[\w-]+:[\w-]+$/.test(arn.slice(account.length)));
  const attributesOf = (form: Record<string, string>, name = 'Attributes') => {
    const found: Record<string, string> = {};
    for (let index = 1; form[`${name}.entry.${index}.key`] !== undefined; index++)
      found[form[`${name}.entry.${index}.key`] as string] = form[`${name}.entry.${index}.value`] ?? '';
    return found;
  };
  const xmlOf = (attributes: Record<string, string>) =>
    `<Attributes>${Object.entries(attributes)
      .map(([key, value]) => `<entry><key>${escaped(key)}</key><value>${escaped(value)}</value></entry>`)
      .join('')}</Attributes>`;
  const paged = (tag: string, list: string[], form: Record<string, string>, member: (arn: string) => string) => {
    const at = Number(form.NextToken ?? 0);
    const next = at + pageSize < list.length ? `<NextToken>${at + pageSize}</NextToken>` : '';
    const members = list.slice(at, at + pageSize).map((arn) => `<member>${member(arn)}</member>`);
    return `<${tag}>${members.join('')}</${tag}>${next}`;
  };
  const known = (arn: string | undefined) => {
    const thing = things.get(arn ?? '');
    if (!thing) throw { status: 404, code: 'NotFound', message: 'No such thing' };
    return thing;
  };

  const actions: Record<string, (form: Record<string, string>) => string> = {
    ListTopics: (form) => paged('Topics', topics(), form, (arn) => `<TopicArn>${arn}</TopicArn>`),
    CreateTopic(form) {
      const arn = account + form.Name;
      things.set(arn, { DisplayName: '', ...attributesOf(form) });
      return `<TopicArn>${arn}</TopicArn>`;
    },
    GetTopicAttributes: ({ TopicArn }) => xmlOf(known(TopicArn)),
    SetTopicAttributes({ TopicArn, AttributeName = '', AttributeValue = '' }) {
      known(TopicArn)[AttributeName] = AttributeValue;
      return '';
    },
    DeleteTopic({ TopicArn = '' }) {
      things.delete(TopicArn);
      return '';
    },
    ListSubscriptions: (form) => paged('Subscriptions', subscriptions(), form, subscriptionXml),
    ListSubscriptionsByTopic: (form) =>
      paged(
        'Subscriptions',
        subscriptions().filter((arn) => arn.startsWith(`${form.TopicArn}:`)),
        form,
        subscriptionXml,
      ),
    Subscribe({ TopicArn = '', Protocol = '', Endpoint = '' }) {
      known(TopicArn);
      const arn = `${TopicArn}:sub-${++count}`;
      things.set(arn, { Protocol, Endpoint, TopicArn });
      return `<SubscriptionArn>${arn}</SubscriptionArn>`;
    },
    GetSubscriptionAttributes: ({ SubscriptionArn }) => xmlOf(known(SubscriptionArn)),
    SetSubscriptionAttributes({ SubscriptionArn, AttributeName = '', AttributeValue = '' }) {
      known(SubscriptionArn)[AttributeName] = AttributeValue;
      return '';
    },
    Unsubscribe({ SubscriptionArn = '' }) {
      things.delete(SubscriptionArn);
      return '';
    },
    ListPlatformApplications: (form) =>
      paged(
        'PlatformApplications',
        ofKind('app/'),
        form,
        (arn) => `<PlatformApplicationArn>${arn}</PlatformApplicationArn>${xmlOf(known(arn))}`,
      ),
    CreatePlatformApplication(form) {
      const arn = `${account}app/${form.Platform}/${form.Name}`;
      things.set(arn, attributesOf(form));
      return `<PlatformApplicationArn>${arn}</PlatformApplicationArn>`;
    },
    GetPlatformApplicationAttributes: ({ PlatformApplicationArn }) => xmlOf(known(PlatformApplicationArn)),
    SetPlatformApplicationAttributes(form) {
      Object.assign(known(form.PlatformApplicationArn), attributesOf(form));
      return '';
    },
    DeletePlatformApplication({ PlatformApplicationArn = '' }) {
      things.delete(PlatformApplicationArn);
      return '';
    },
    ListEndpointsByPlatformApplication: (form) =>
      paged(
        'Endpoints',
        ofKind(`endpoint/${form.PlatformApplicationArn?.split(':app/')[1]}/`),
        form,
        (arn) => `<EndpointArn>${arn}</EndpointArn>${xmlOf(known(arn))}`,
      ),
    CreatePlatformEndpoint(form) {
      known(form.PlatformApplicationArn);
      const arn = `${account}endpoint/${form.PlatformApplicationArn?.split(':app/')[1]}/dev-${++count}`;
      things.set(arn, { Token: form.Token ?? '', Enabled: 'true', ...attributesOf(form) });
      return `<EndpointArn>${arn}</EndpointArn>`;
    },
    GetEndpointAttributes: ({ EndpointArn }) => xmlOf(known(EndpointArn)),
    SetEndpointAttributes(form) {
      Object.assign(known(form.EndpointArn), attributesOf(form));
      return '';
    },
    DeleteEndpoint({ EndpointArn = '' }) {
      things.delete(EndpointArn);
      return '';
    },
    Publish(form) {
      known(form.TopicArn ?? form.TargetArn);
      published.push(form);
      return `<MessageId>message-${published.length}</MessageId>`;
    },
  };
  const subscriptionXml = (arn: string) => {
    const { Protocol = '', Endpoint = '', TopicArn = '' } = known(arn);
    return `<SubscriptionArn>${arn}</SubscriptionArn><Protocol>${Protocol}</Protocol><Endpoint>${escaped(Endpoint)}</Endpoint><Owner>123456789012</Owner><TopicArn>${TopicArn}</TopicArn>`;
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const action = form.Action ?? '';
    calls.push({ action, form, headers: request.headers });
    const say = (status: number, xml: string) => response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
    const refuse = ({ status, code, message = code }: { status: number; code: string; message?: string }) =>
      say(
        status,
        `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
      );
    if (failing && 'endless' in failing) {
      response.writeHead(200, { 'content-type': 'text/xml' });
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
      return;
    }
    if (failing) return void refuse(failing);
    try {
      const result = Object.hasOwn(actions, action) ? actions[action]?.(form) : undefined;
      if (result === undefined) return void refuse({ status: 400, code: 'InvalidAction' });
      say(
        200,
        `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></${action}Response>`,
      );
    } catch (error) {
      refuse(error as { status: number; code: string });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ calls, published },
    fail: (answer) => {
      failing = answer;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const escaped = (text: string): string => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
