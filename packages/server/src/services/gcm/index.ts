// Notifications by Google's push service, which was GCM and is FCM. The calls are those of every push service (server/src/push).
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { createSendOutside, type FetchWords, parseWebAddress } from '../../fetch/open.ts';
import { eventMapField, pushType } from '../../push/index.ts';
import { privateTargetsOf, type Settings } from '../../settings/index.ts';
import type { Store } from '../../store/index.ts';
import { checkEndpoint, endpointField, hostOf, trimmed } from '../engines/endpoint.ts';
import { openGoogle } from './google.ts';

const config = {
  // Braces are those of JSON.
  api_key: field.secretText({
    label: 'API Key',
    description: 'The JSON of a service account; or a plain key, for a server that speaks the older protocol.',
    required: true,
    literal: true,
  }),
  environment: field.picklist({
    label: 'Environment',
    description: 'For your records: Google makes no difference.',
    required: true,
    values: [
      { label: 'Development', name: 'dev' },
      { label: 'Production', name: 'prod' },
    ],
  }),
  ...eventMapField,
  endpoint: endpointField('Address of another server that speaks the protocol of FCM or GCM. Blank: Google.'),
};

const words: FetchWords = {
  failed: (problem, cause) => fail('push.unreachable', { problem }, { cause }),
  timedOut: (_problem, cause) => fail('push.timeout', undefined, { cause }),
  tooLarge: () => fail('push.refused', { text: 'its answer is too long' }),
};

const google = { messages: 'https://fcm.googleapis.com', tokens: 'https://oauth2.googleapis.com/token' };

/** Notifications by Google's push service. */
export const gcm = (store: Pick<Store, 'db' | 'insert' | 'isDuplicate'>, settings: Pick<Settings, 'fetchPrivate'>) => {
  function open({ api_key, endpoint }: ConfigOf<typeof config>) {
    const base = trimmed(endpoint)?.replace(/\/+$/, '');
    const addresses = base === undefined ? google : { messages: base, tokens: `${base}/token` };
    // An administrator chose the host, whatever network it is in.
    const host = parseWebAddress(addresses.messages).hostname.replace(/^\[|\]$/g, '');
    const targets = privateTargetsOf(settings);
    const send = createSendOutside({ privateTargets: targets === true ? true : [host, ...targets] }, words);
    return openGoogle({ key: api_key?.trim() ?? '', ...addresses, send });
  }
  return pushType(store, {
    name: 'gcm',
    label: 'GCM Push Notification',
    description: 'Notifications by Google (FCM, formerly GCM), of devices that are registered by app.',
    config,
    messageFields: { data: { type: 'object', description: 'Values for the app, which gets the message among them.' } },
    check: ({ endpoint }) => checkEndpoint(endpoint),
    address: ({ endpoint }) => hostOf(trimmed(endpoint) ?? google.messages),
    open,
    test: (values) => open(values).test(),
  });
};
