import { errorsOfArea } from './catalogue.ts';

/** SOAP services (contract/services-other.md §3). */
export const soapErrors = errorsOfArea('soap', {
  unknownFunction: {
    status: 404,
    message: (p: { name: string }) => `Function '${p.name}' does not exist on this service.`,
  },
  badArguments: {
    status: 400,
    message: (p: { problem: string }) => `The arguments cannot be sent: ${p.problem}.`,
  },
  // The words are those of the SOAP server.
  fault: { status: 500, message: (p: { text: string; code: string }) => `${p.text} [Fault code:${p.code}]` },
  startup: {
    status: 500,
    message: (p: { problem: string }) => `Unexpected SOAP Service Exception:\n${p.problem}.`,
    hint: 'Look at the WSDL of the service, and at its options.',
  },
  badAnswer: {
    status: 502,
    message: (p: { problem: string }) => `The SOAP server sent an answer that cannot be read: ${p.problem}.`,
  },
  badHeader: {
    status: 500,
    message: 'A header of the service makes no message.',
    hint: 'Services › Config: the data of headers is JSON, and a lookup key may have put something else into it.',
  },
});
