import { errorsOfArea } from './catalogue.ts';

/** Messages of brokers (contract/services-other.md §13). */
export const messageErrors = errorsOfArea('message', {
  noTopic: { status: 400, message: 'No topic found. Please provide a topic.' },
  noMessage: { status: 400, message: 'No message found. Please provide a message to publish.' },
  badTopic: { status: 400, message: (p: { problem: string }) => `The topic cannot be used: ${p.problem}.` },
  tooLarge: { status: 400, message: (p: { limit: number }) => `A message has ${p.limit} bytes at most.` },
  noSubscriptions: {
    status: 400,
    message: 'No subscription found. Please provide a list of topics, each with the service that is called.',
  },
  badCall: {
    status: 400,
    message: (p: { topic: string; problem: string }) =>
      `The service of the topic '${p.topic}' cannot be called: ${p.problem}.`,
  },
  tooManySubscriptions: {
    status: 400,
    message: (p: { limit: number }) => `At most ${p.limit} subscriptions are taken.`,
    hint: 'DELETE sub ends those of a topic.',
  },
  notSubscribed: {
    status: 404,
    message: (p: { topic: string }) => `There is no subscription to the topic '${p.topic}'.`,
  },
  noCaller: { status: 403, message: 'A subscription is made by a person or with the API key of an app.' },
  busy: { status: 503, message: 'Too many messages are being published. Try again in a moment.' },
  unreachable: { status: 503, message: (p: { problem: string }) => `The broker is not available: ${p.problem}.` },
  timeout: { status: 504, message: 'The broker did not answer in time.' },
  refused: { status: 502, message: (p: { text: string }) => `The broker refused the call: ${p.text}` },
  loginRefused: {
    status: 500,
    message: (p: { text: string }) => `The broker does not accept the login of the service: ${p.text}`,
  },
  badCertificates: {
    status: 500,
    message: (p: { path: string; problem: string }) => `The certificates at '${p.path}' cannot be used: ${p.problem}.`,
    hint: 'Services › Config has the path of the authorities that are trusted.',
  },
});
