import { Failure } from '@sluice/contract';

/** Codes of JSON-RPC 2.0 (https://www.jsonrpc.org/specification#error_object). */
const invalidParams = -32602;
const internalError = -32603;

/** An error as the protocol answers it: of a message, not of what a tool did. */
export class RpcError extends Error {
  readonly code: number;

  constructor(message: string, code = invalidParams) {
    super(message);
    this.code = code;
  }
}

/** What is answered to a message that failed; what is not in the catalogue reveals nothing. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof Failure)) return new RpcError('Internal Server Error', internalError);
  return new RpcError(error.message, error.status < 500 ? invalidParams : internalError);
}
