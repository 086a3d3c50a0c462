// Brokers that speak MQTT (contract/services-other.md §13): messages are published, and calls of this instance are made for messages
// that arrive (server/src/messages).
import { configField as field } from '@sluice/contract';
import { TypedMap } from '../../call/typed-map.ts';
import { messageBroker } from '../../messages/broker.ts';
import { subscriptions } from '../../messages/index.ts';
import { type ServiceContext, serviceType } from '../../service/service.ts';
import { checkHost, hostAddress, refuseField } from '../../storage/remote-config.ts';
import { usualCaPath } from './authorities.ts';
import { type BrokerConnection, openConnection } from './connection.ts';
import { type MqttService, resources } from './routes.ts';

const usualPort = 1883;

const config = {
  host: field.string({
    label: 'Broker Host',
    description: 'Name or address of the broker.',
    required: true,
    destination: true,
  }),
  port: field.integer({
    label: 'Broker Port',
    description: '1883 is the usual one, 8883 with TLS.',
    default: usualPort,
    destination: true,
  }),
  client_id: field.string({
    label: 'Client ID',
    description:
      'The name of this client at the broker. Connections that only publish add a hyphen and eight characters.',
    required: true,
  }),
  username: field.string({ label: 'Username', description: 'Blank: the broker wants no login.', destination: true }),
  password: field.secret({ label: 'Password', description: 'Password of that user.' }),
  use_tls: field.boolean({
    label: 'Use TLS',
    description: 'Encrypts the connection, and checks the certificate of the broker.',
    default: false,
    destination: true,
  }),
  capath: field.string({
    label: 'CA Certificate Path',
    description:
      'A file of this machine, or a folder of files, with the certificates (PEM) of the authorities that are trusted.',
    default: usualCaPath,
    destination: true,
  }),
};

/** Messages of a broker, in and out. */
export const mqtt = serviceType<typeof config, MqttService>({
  name: 'mqtt',
  label: 'MQTT Client',
  description: 'Messages of a broker (MQTT): published by calls, and leading to calls.',
  group: 'IoT',
  can: { accessList: true },
  config,
  check(values) {
    checkHost(values);
    const clientId = values.client_id?.trim() ?? '';
    if (clientId === '') throw refuseField('client_id', 'The client_id field is required.');
    if (clientId.length > 200 || /[\p{Cc}\p{Surrogate}]/u.test(clientId))
      throw refuseField('client_id', 'The client_id must be a text of 200 characters at most.');
  },
  address: ({ host, port }) => hostAddress(host, port ?? usualPort),
  async test(values) {
    const connection = connectionOf(values);
    try {
      await connection.test();
    } finally {
      await connection.close();
    }
  },
  open: (values, context) => openService(connectionOf(values), context),
  resources,
});

function openService(connection: BrokerConnection, context: ServiceContext): MqttService {
  return {
    id: context.id,
    connection,
    subscriptions: context.require(subscriptions),
    provides: new TypedMap().set(messageBroker, { listen: (onMessage) => connection.listen(onMessage) }),
    close: () => connection.close(),
  };
}

function connectionOf(values: {
  host: string | null;
  port: number | null;
  client_id: string | null;
  username: string | null;
  password: string | null;
  use_tls: boolean | null;
  capath: string | null;
}): BrokerConnection {
  return openConnection({
    host: values.host?.trim() ?? '',
    port: values.port ?? usualPort,
    clientId: values.client_id?.trim() ?? '',
    username: values.username?.trim() ?? '',
    password: values.password ?? '',
    useTls: values.use_tls ?? false,
    caPath: values.capath?.trim() || usualCaPath,
  });
}
