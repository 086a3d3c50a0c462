// The text of GET /metrics, in the format of Prometheus. What it says holds no secret: names of services, no names of
// people, hosts, files or tables.
import type { Metric, Registry } from 'prom-client';
import type { Platform } from '../gateway/platform.ts';
import { contractVersion, sluiceVersion } from '../settings/version.ts';
import { bounds, type CallCounts } from './calls.ts';

/** Bytes over all connections, those of addresses that are no calls too. */
export interface Traffic {
  connections: number;
  received: number;
  sent: number;
}

export interface Page {
  type: string;
  text: string;
}

/** Makes what writes the page. The library is loaded by the first who asks. */
export function metricsPage(platform: Platform, traffic: () => Traffic): () => Promise<Page> {
  let registries: Promise<Registry[]> | undefined;
  return async () => {
    registries ??= open(platform, traffic);
    const all = await registries;
    const texts = await Promise.all(all.map((it) => it.metrics()));
    return { type: all[0]!.contentType, text: texts.join('\n') };
  };
}

type Client = typeof import('prom-client');

/** What is the process's and not an instance's: a test runs several in one. Watched from the first question on. */
let ofProcess: Registry | undefined;

async function open(platform: Platform, traffic: () => Traffic): Promise<Registry[]> {
  const { default: client } = (await import('prom-client')) as unknown as { default: Client };
  if (!ofProcess) {
    ofProcess = new client.Registry();
    client.collectDefaultMetrics({ register: ofProcess });
  }
  const registry = new client.Registry();
  addAll(client, registry, platform, traffic);
  return [registry, ofProcess];
}

interface Sample {
  labels?: Record<string, string>;
  value: number;
}

function addAll(client: Client, registry: Registry, platform: Platform, traffic: () => Traffic): void {
  const { metrics, store, services, identity } = platform;

  /** A figure that is looked up when it is asked for. */
  const add =
    (Kind: Client['Counter'] | Client['Gauge'], unit: string) =>
    (name: string, help: string, labelNames: string[], read: () => Sample[] | Promise<Sample[]>) => {
      new Kind({
        name: `sluice_${name}${unit}`,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const samples = await read();
          this.reset();
          for (const { labels = {}, value } of samples) this.inc(labels, value);
        },
      });
    };
  const counter = add(client.Counter, '_total');
  const gauge = add(client.Gauge, '');

  gauge('build_info', 'Always 1; what runs here.', ['version', 'contract', 'store'], () => [
    { labels: { version: sluiceVersion, contract: contractVersion, store: store.driver }, value: 1 },
  ]);

  counter(
    'calls',
    'Calls under /api that are over. Status aborted: the caller went away, or the answer was broken off. Service "": none of that name, or the list of services.',
    ['service', 'verb', 'status'],
    () => callSamples(metrics.calls),
  );
  registry.registerMetric(durations(metrics.calls));
  gauge('calls_in_flight', 'Calls under /api that are not over.', [], () => [{ value: metrics.calls.inFlight() }]);
  counter(
    'failures',
    'Calls that failed or were refused, by key of docs/errors.md; answers that were broken off among them.',
    ['key'],
    () => [...metrics.failures].map(([key, value]) => ({ labels: { key }, value })),
  );

  gauge('http_connections', 'Open connections of callers.', [], () => [{ value: traffic().connections }]);
  counter('http_received_bytes', 'Bytes received from callers.', [], () => [{ value: traffic().received }]);
  counter('http_sent_bytes', 'Bytes sent to callers.', [], () => [{ value: traffic().sent }]);

  counter('sign_ins', 'Sign-ins by password, Basic credentials among them.', ['result'], () =>
    Object.entries(identity.signIns()).map(([result, value]) => ({ labels: { result }, value })),
  );

  gauge('store_connections', "Connections to the store's database server.", ['state'], () => {
    const load = store.load();
    return load ? connectionSamples(load) : [];
  });
  gauge('store_waiting', 'What waits for a connection to the store.', [], () => {
    const load = store.load();
    return load ? [{ value: load.waiting }] : [];
  });

  // After the connections: it takes one of them.
  gauge('store_up', "Whether the platform's own store answers: 1 or 0.", [], async () => [
    { value: await isUp(store) },
  ]);

  gauge(
    'service_connections',
    'Connections of open database services; of SQLite files, the main connection and child processes.',
    ['service', 'state'],
    () => services.loads().flatMap(({ service, load }) => connectionSamples(load, { service })),
  );
  gauge('service_waiting', 'Queries that wait for a connection.', ['service'], () =>
    services.loads().map(({ service, load }) => ({ labels: { service }, value: load.waiting })),
  );
}

const connectionSamples = ({ open, busy }: { open: number; busy: number }, labels: Record<string, string> = {}) => [
  { labels: { ...labels, state: 'busy' }, value: busy },
  { labels: { ...labels, state: 'idle' }, value: Math.max(0, open - busy) },
];

const isUp = (store: Platform['store']): Promise<number> =>
  store.ping().then(
    () => 1,
    () => 0,
  );

const callSamples = (calls: CallCounts): Sample[] =>
  [...calls.all()].flatMap(([service, verbs]) =>
    [...verbs].flatMap(([verb, { ended }]) =>
      [...ended].map(([status, value]) => ({ labels: { service, verb, status: String(status) }, value })),
    ),
  );

/** The library's own histogram costs more than a microsecond a call; this one is counted already. */
function durations(calls: CallCounts): Metric {
  const name = 'sluice_call_duration_seconds';
  const samples = () =>
    [...calls.all()].flatMap(([service, verbs]) =>
      [...verbs].flatMap(([verb, { buckets, seconds }]) => {
        const labels = { service, verb };
        let count = 0;
        const upTo = buckets.map((value, at) => {
          count += value;
          return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: count };
        });
        return [
          ...upTo,
          { metricName: `${name}_sum`, labels, value: seconds },
          { metricName: `${name}_count`, labels, value: count },
        ];
      }),
    );
  const help = 'How long calls took, until the last byte of the answer was handed over.';
  return { name, get: async () => ({ name, help, type: 'histogram', values: samples() }) } as unknown as Metric;
}
