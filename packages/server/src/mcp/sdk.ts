// The SDK of the protocol, loaded when the first message comes: most instances have none.

const load = async () => {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport: Transport }, schemas] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Server, Transport, schemas, validator };
};

/** The server asks its clients nothing, so there is no answer of theirs to check. */
const validator = {
  getValidator(): never {
    throw new Error('nothing is asked of clients');
  },
};

let loading: ReturnType<typeof load> | undefined;

export function loadSdk(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
