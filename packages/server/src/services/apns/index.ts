// Notifications of Apple's devices. The calls are those of every push service (server/src/push).
import { type ConfigOf, configField as field } from '@sluice/contract';
import { eventMapField, pushType } from '../../push/index.ts';
import type { Store } from '../../store/index.ts';
import { checkEndpoint, endpointField, hostOf, trimmed } from '../engines/endpoint.ts';
import { openApple } from './apple.ts';

const config = {
  certificate: field.secretFile({
    label: 'Certificate file (.pem)',
    description: 'The certificate of the app for push notifications, and its private key.',
    required: true,
  }),
  passphrase: field.secret({ label: 'Passphrase', description: 'Of the private key; blank where it has none.' }),
  environment: field.picklist({
    label: 'Environment',
    description: 'Which devices are meant: those of apps under development, or of released ones.',
    required: true,
    values: [
      { label: 'Development', name: 'dev' },
      { label: 'Production', name: 'prod' },
    ],
    destination: true,
  }),
  ...eventMapField,
  endpoint: endpointField('Address of another server that speaks the protocol of APNs. Blank: Apple.'),
};

const hosts = new Map<unknown, string>([
  ['dev', 'https://api.sandbox.push.apple.com'],
  ['prod', 'https://api.push.apple.com'],
]);

const addressOf = ({ environment, endpoint }: Pick<ConfigOf<typeof config>, 'environment' | 'endpoint'>): string =>
  trimmed(endpoint) ?? (hosts.get(environment) as string);

const open = (values: ConfigOf<typeof config>) =>
  openApple({
    ...{ certificate: values.certificate ?? '', passphrase: values.passphrase ?? '' },
    address: addressOf(values),
  });

/** Notifications by Apple's push service. */
export const apns = (store: Pick<Store, 'db' | 'insert' | 'isDuplicate'>) =>
  pushType(store, {
    name: 'apns',
    label: 'Apple Push Notification',
    description: 'Notifications of Apple devices, registered by app.',
    config,
    hasFeedback: true,
    messageFields: {
      badge: { type: 'integer', description: 'The number at the icon; 1 where it is not named.' },
      sound: { type: 'string', description: 'The sound; default where it is not named.' },
      'action-loc-key': { type: 'string' },
      'loc-key': { type: 'string' },
      'loc-args': { type: 'array', items: { type: 'string' } },
      'launch-image': { type: 'string' },
      custom: { type: 'object', description: 'Values for the app, beside what Apple defines.' },
    },
    check: ({ endpoint }) => checkEndpoint(endpoint),
    address: (values) => hostOf(addressOf(values)),
    open,
    async test(values) {
      const transport = open(values);
      try {
        await transport.test();
      } finally {
        await transport.close?.();
      }
    },
  });
