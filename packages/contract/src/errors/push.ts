import { errorsOfArea } from './catalogue.ts';

/** Notifications of devices, and what is published for them (contract/services-other.md §5). */
export const pushErrors = errorsOfArea('push', {
  noMessage: {
    status: 400,
    message: 'No message found. Please provide a message for your push notification.',
  },
  noKey: { status: 400, message: 'No API Key found. Please provide a valid API Key.' },
  noToken: { status: 400, message: 'No Device Token found. Please provide a valid Device Token.' },
  badToken: { status: 400, message: 'A device token is a text of at most 4096 characters, as the device has it.' },
  registered: { status: 409, message: 'The Device Token is already registered for you application.' },
  oldTokenUnknown: { status: 404, message: 'No existing record found for the old token provided.' },
  noDevices: {
    status: 404,
    message: (p: { app: string }) =>
      `Failed to send push notification. No registered devices found for your application [${p.app}]`,
  },
  tooManyTokens: { status: 400, message: (p: { limit: number }) => `At most ${p.limit} device tokens are taken.` },
  badField: { status: 400, message: (p: { field: string; kind: string }) => `The ${p.field} must be ${p.kind}.` },
  tooLarge: { status: 400, message: (p: { limit: number }) => `A notification has ${p.limit} bytes at most as JSON.` },
  badCertificate: {
    status: 500,
    message: (p: { problem: string }) => `The certificate of the service cannot be used: ${p.problem}.`,
    hint: 'A PEM file with the certificate and its private key, and the passphrase of the key where it has one.',
  },
  badAccount: {
    status: 500,
    message: (p: { problem: string }) => `The service account in api_key cannot be used: ${p.problem}.`,
  },
  busy: { status: 503, message: 'Too many notifications are being sent. Try again in a moment.' },
  unreachable: { status: 503, message: (p: { problem: string }) => `The push service is not available: ${p.problem}.` },
  deferred: { status: 503, message: (p: { text: string }) => `The push service does not take it now: ${p.text}` },
  timeout: { status: 504, message: 'The push service did not answer in time.' },
  refused: { status: 502, message: (p: { text: string }) => `The push service refused the call: ${p.text}` },
  loginRefused: {
    status: 500,
    message: (p: { text: string }) => `The push service does not accept the login of the service: ${p.text}`,
  },
  noTarget: {
    status: 400,
    message: "Publish request does not contain resource, either 'Topic' or 'Endpoint'.",
  },
  nothingToPublish: { status: 400, message: 'No message found. Please provide a Message to publish.' },
  badIdentifier: { status: 400, message: (p: { kind: string }) => `The name or ARN is none of ${p.kind}.` },
  missing: { status: 404, message: (p: { name: string }) => `'${p.name}' is not there.` },
  invalid: { status: 400, message: (p: { text: string }) => `The push service does not take the request: ${p.text}` },
  denied: { status: 403, message: (p: { text: string }) => `The keys of the service do not allow the call: ${p.text}` },
});
