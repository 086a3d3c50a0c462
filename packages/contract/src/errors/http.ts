import { errorsOfArea } from './catalogue.ts';

/** Errors of the edge and of routing (contract/http-basics.md §1, §6, §8). */
export const httpErrors = errorsOfArea('http', {
  malformed: {
    status: 400,
    message: (p: { format: string; where: string; problem: string }) =>
      `Malformed ${p.format} in the request body at ${p.where}: ${p.problem}`,
    hint: 'Correct the body at the named position and send it again. Nothing was changed.',
  },
  invalidUtf8: {
    status: 400,
    message: (p: { where: string }) => `The request ${p.where} is not valid UTF-8.`,
    hint: 'Send UTF-8. In an address each byte of a letter beyond ASCII is % and two hexadecimal digits, and a % itself is %25.',
  },
  tooDeep: {
    status: 400,
    message: (p: { format: string; limit: number }) =>
      `The ${p.format} in the request body is nested more than ${p.limit} levels deep.`,
  },
  unsafeInteger: {
    status: 400,
    message: (p: { field: string; value: string }) =>
      `Field '${p.field}' holds the integer ${p.value}, which a JSON number can not carry exactly.`,
    hint: 'Send integers past 2^53 as quoted text; they are stored exactly.',
  },
  unrecognizedPayload: { status: 400, message: 'Unrecognized payload type' },
  wrongKind: {
    status: 400,
    message: (p: { name: string; expected: string; found: string }) =>
      `The ${p.name} must be ${p.expected}, not ${p.found}.`,
  },
  tooManyNames: {
    status: 400,
    message: (p: { limit: number }) => `The request body has more than ${p.limit} names.`,
    hint: 'Send less at once. Before a caller is known little is read: send credentials in headers.',
  },
  tooManyValues: {
    status: 400,
    message: (p: { limit: number }) => `The request body holds more than ${p.limit} values.`,
    hint: 'Send it in several calls.',
  },
  tooManyDifferentNames: {
    status: 400,
    message: (p: { limit: number }) => `The request body has more than ${p.limit} different names.`,
    hint: 'Names are those of fields: send records, not one record of many fields.',
  },
  tooManyLongNumbers: {
    status: 400,
    message: (p: { limit: number }) =>
      `The request body holds more than ${p.limit} numbers of more digits than a double carries.`,
    hint: 'Send them as texts, or in several calls.',
  },
  bodyTooCostly: {
    status: 400,
    message: 'Reading the request body takes more time or memory than it may.',
    hint: 'Send it in several calls.',
  },
  bodyTooSlow: {
    status: 408,
    message: 'The request body came too slowly while others waited for their turn.',
  },
  tooManyBodies: {
    status: 503,
    message: 'Too many large request bodies are being read. Please try again in a moment.',
  },
  tooManyOwnBodies: {
    status: 429,
    message: 'Too many large request bodies of yours are being read. Please wait until they are done.',
  },
  bodyTooLarge: {
    status: 413,
    message: (p: { limit: number }) => `The request body is larger than the limit of ${p.limit} bytes.`,
    hint: 'Send less at once, or raise SLUICE_BODY_LIMIT.',
  },
  chunksTooSmall: {
    status: 400,
    message: (p: { max: number; bytes: number }) =>
      `The request body came in more than ${p.max} chunks of less than ${p.bytes} bytes.`,
    hint: 'Send larger chunks, or the body as a whole with its Content-Length.',
  },
  bodyBroken: { status: 400, message: 'The request body ended before it was complete.' },
  headersTooLarge: {
    status: 431,
    message: 'The request line and headers are larger than 32768 bytes.',
    hint: 'Send long filters in the body: POST with the header X-HTTP-Method: GET.',
  },
  badRequestLine: { status: 400, message: 'The request is not valid HTTP.' },
  badAddress: {
    status: 400,
    message: (p: { problem: string }) => `The address of the request is not valid: ${p.problem}`,
  },
  rangeNotSatisfiable: { status: 416, message: 'The range that was asked for lies beyond the end.' },
  requestTimeout: { status: 408, message: 'The request did not arrive in time.' },
  notAcceptable: {
    status: 400,
    message: (p: { content: string }) =>
      `Content in response can not be resolved to acceptable content type. Original content: ${p.content}`,
  },
  verbNotSupported: {
    status: 405,
    message: (p: { verb: string; path: string; service: string }) =>
      p.path === ''
        ? `${p.verb} requests without a resource are not currently supported by the '${p.service}' service.`
        : `${p.verb} requests for resource '${p.path}' are not currently supported by the '${p.service}' service.`,
  },
  actionNotSupported: { status: 400, message: (p: { verb: string }) => `The action "${p.verb}" is not supported.` },
  pageNotFound: { status: 404, message: (p: { path: string }) => `There is nothing at ${p.path}.` },
  noMemory: {
    status: 503,
    message: 'As many bytes of answers are in memory as may be. Try again in a moment.',
    hint: 'Ask for fewer records or fewer fields. SLUICE_ANSWER_MEMORY sets the limit.',
  },
  answersUnread: {
    status: 503,
    message: (p: { limit: number }) =>
      `Answers to you that you have not read yet have more than ${p.limit} bytes together, the most one caller may have.`,
    hint: 'Read the answers to your other calls first, or ask for fewer records or fields at a time.',
  },
  internal: {
    status: 500,
    message: 'The server met an unexpected error.',
    hint: 'The request id leads to the details in the server log.',
  },
});
