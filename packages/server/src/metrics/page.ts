// The text of GET /metrics, in the format of Prometheus. It holds no secrets: names of services, but none of people, hosts,
// files or tables.
import type { Metric, Registry } from 'prom-client';
import { databaseLoad } from '../database/index.ts';
import type { Platform } from '../gateway/platform.ts';
import { contractVersion, sluiceVersion } from '../settings/version.ts';
import { bucketBounds, type CallCounts } from './calls.ts';

/** Bytes over all connections, those that carry no calls included. */
export interface Traffic {
  connections: number;
  received: number;
  sent: number;
  /** Answers that were broken off because of how slowly they were read. */
  brokenOff: { slow: number; forRoom: number };
}

export interface MetricsPage {
  type: string;
  text: string;
}

/** Returns a function that writes the page. The first request loads the library. */
export function createMetricsPage(platform: Platform, traffic: () => Traffic): () => Promise<MetricsPage> {
  let loading: Promise<Registry[]> | undefined;
  return async () => {
    loading ??= createRegistries(platform, traffic);
    const registries = await loading;
    const texts = await Promise.all(registries.map((registry) => registry.metrics()));
    return { type: registries[0]!.contentType, text: texts.join('\n') };
  };
}

type Client = typeof import('prom-client');

/** Metrics of the process, not of an instance: a test runs several instances in one. Collected from the first request on. */
let processRegistry: Registry | undefined;

async function createRegistries(platform: Platform, traffic: () => Traffic): Promise<Registry[]> {
  const { default: client } = (await import('prom-client')) as unknown as { default: Client };
  if (!processRegistry) {
    processRegistry = new client.Registry();
    client.collectDefaultMetrics({ register: processRegistry });
  }
  const registry = new client.Registry();
  addMetrics(client, registry, platform, traffic);
  return [registry, processRegistry];
}

interface Sample {
  labels?: Record<string, string>;
  value: number;
}

function addMetrics(client: Client, registry: Registry, platform: Platform, traffic: () => Traffic): void {
  const { metrics, store, services, identity, limits, jobs, runner } = platform;

  /** A figure that is read when the page is requested. */
  const createMetric =
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
  const counter = createMetric(client.Counter, '_total');
  const gauge = createMetric(client.Gauge, '');

  gauge('build_info', 'Always 1; what runs here.', ['version', 'contract', 'store'], () => [
    { labels: { version: sluiceVersion, contract: contractVersion, store: store.driver }, value: 1 },
  ]);

  counter(
    'calls',
    'Calls under /api that are over. Status aborted: the caller went away, or the answer was broken off. Service "": none of that name, or the list of services.',
    ['service', 'verb', 'status'],
    () => callSamples(metrics.calls),
  );
  registry.registerMetric(durationHistogram(metrics.calls));
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

  gauge('answer_bytes', 'Bytes of answers in memory that callers have not taken yet.', [], () => [
    { value: platform.answers.bytes },
  ]);
  counter(
    'answers_broken_off',
    'Answers that were broken off because they were read too slowly; room: because other answers needed their room.',
    ['reason'],
    () => [
      { labels: { reason: 'slow' }, value: traffic().brokenOff.slow },
      { labels: { reason: 'room' }, value: traffic().brokenOff.forRoom },
    ],
  );

  counter('sign_ins', 'Sign-ins by password, Basic credentials among them.', ['result'], () =>
    Object.entries(identity.signInCounts()).map(([result, value]) => ({ labels: { result }, value })),
  );

  counter('limit_refused', 'Calls that a limit refused, by its id.', ['limit'], () =>
    byLimit(limits.figures().refused),
  );
  counter('limit_exceeded', 'How often a limit was exceeded, once for each lock, by its id.', ['limit'], () =>
    byLimit(limits.figures().exceeded),
  );
  gauge('limit_counting', 'Always 1; where limits are counted: memory, store or redis.', ['where'], () => [
    { labels: { where: limits.figures().where }, value: 1 },
  ]);
  gauge('limit_store_away', 'Whether the store of counters is away: 1 or 0.', [], () => [
    { value: Number(limits.figures().isAway) },
  ]);
  counter('limit_uncounted', 'Calls that could not be counted, since the store of counters was away.', [], () => [
    { value: limits.figures().uncounted },
  ]);

  counter(
    'jobs',
    'Jobs that this process worked on, by kind; failed: it is tried again, given_up: it is not.',
    ['job', 'result'],
    () =>
      [...jobs.figures().ended].flatMap(([job, counts]) =>
        Object.entries(counts).map(([result, value]) => ({ labels: { job, result }, value })),
      ),
  );
  gauge(
    'script_engine',
    'Whether scripts of a type can run (1) or not (0), and what confines them; types that were needed so far.',
    ['type', 'confinement'],
    () =>
      [...runner.knownEngines()].map(([type, { confinement, missing }]) => ({
        labels: { type, confinement },
        value: missing === undefined ? 1 : 0,
      })),
  );

  gauge('store_connections', "Connections to the store's database server.", ['state'], () => {
    const load = store.load();
    return load ? connectionSamples(load) : [];
  });
  gauge('store_waiting', 'What waits for a connection to the store.', [], () => {
    const load = store.load();
    return load ? [{ value: load.waiting }] : [];
  });

  // After the connections: these take one.
  gauge('jobs_stored', 'Jobs in the store, of all processes, by kind and state.', ['job', 'state'], async () =>
    // Whether the store answers is said by store_up.
    (
      await jobs
        .figures()
        .stored()
        .catch(() => [])
    ).map(({ name, state, count }) => ({
      labels: { job: name, state },
      value: count,
    })),
  );
  gauge('store_up', "Whether the platform's own store answers: 1 or 0.", [], async () => [
    { value: await isUp(store) },
  ]);

  const loads = () =>
    services.provided(databaseLoad).flatMap(({ service, value }) => {
      const load = value();
      return load ? [{ service, load }] : [];
    });
  gauge(
    'service_connections',
    'Connections of open database services; of SQLite files, the main connection and child processes.',
    ['service', 'state'],
    () => loads().flatMap(({ service, load }) => connectionSamples(load, { service })),
  );
  gauge('service_waiting', 'Queries that wait for a connection.', ['service'], () =>
    loads().map(({ service, load }) => ({ labels: { service }, value: load.waiting })),
  );
}

const byLimit = (counts: ReadonlyMap<number, number>): Sample[] =>
  [...counts].map(([id, value]) => ({ labels: { limit: String(id) }, value }));

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
    [...verbs].flatMap(([verb, { endedByStatus: ended }]) =>
      [...ended].map(([status, value]) => ({ labels: { service, verb, status: String(status) }, value })),
    ),
  );

/** The library's own histogram costs more than a microsecond a call; here the calls are counted already. */
function durationHistogram(calls: CallCounts): Metric {
  const name = 'sluice_call_duration_seconds';
  const samples = () =>
    [...calls.all()].flatMap(([service, verbs]) =>
      [...verbs].flatMap(([verb, { buckets, seconds }]) => {
        const labels = { service, verb };
        let count = 0;
        const cumulative = buckets.map((value, index) => {
          count += value;
          return {
            metricName: `${name}_bucket`,
            labels: { ...labels, le: bucketBounds[index] ?? '+Inf' },
            value: count,
          };
        });
        return [
          ...cumulative,
          { metricName: `${name}_sum`, labels, value: seconds },
          { metricName: `${name}_count`, labels, value: count },
        ];
      }),
    );
  const help = 'How long calls took, until the last byte of the answer was handed over.';
  return { name, get: async () => ({ name, help, type: 'histogram', values: samples() }) } as unknown as Metric;
}
