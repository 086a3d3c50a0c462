// A container of Azure's blobs as an object store, by the library of Azure.
import type { Readable } from 'node:stream';
import {
  type BlobItem,
  BlobServiceClient,
  type ContainerClient,
  RestError,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { fail } from '@sluice/contract';
import { networkFailure, serverWords } from '../../storage/network.ts';
import { pacedStream, remoteLimits, upload, withDeadline } from '../../storage/object-calls.ts';
import { nextPage, type ObjectStore, objectLimits, type StoredObject } from '../../storage/objects.ts';

export interface BlobOptions {
  /** Of the account. */
  url: string;
  account: string;
  key: string;
  container: string;
}

/** Bytes of a block of an upload; 50,000 are possible. Two are sent at once. */
const blockSize = 8 * 1024 * 1024;
/** Deletes that are under way at once. */
const deletesAtOnce = 16;

/** Opens a container, which is made when it is missing. */
export async function openBlobStore({
  url,
  account,
  key: accountKey,
  container: name,
}: BlobOptions): Promise<ObjectStore> {
  const service = new BlobServiceClient(url, new StorageSharedKeyCredential(account, accountKey), {
    retryOptions: { maxTries: 2, retryDelayInMs: 300, maxRetryDelayInMs: 3_000 },
  });
  const container = service.getContainerClient(name);
  const fault = (error: unknown, path: string) => failureOf(error, path, [accountKey]);
  /** Runs a call; answers undefined where there is no such blob. */
  const send = async <T>(key: string, run: (abortSignal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    try {
      return await withDeadline(run);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw fault(error, key);
    }
  };

  await openContainer(container, fault);
  return {
    maxKey: 1024,
    async head(key) {
      const found = await send(key, (abortSignal) => container.getBlobClient(key).getProperties({ abortSignal }));
      return found && describe(key, found);
    },
    async *list(prefix, { isFlat, limit = objectLimits.page }) {
      let token: string | undefined;
      do {
        const page = await send(prefix, (abortSignal) => {
          const settings = { maxPageSize: limit, ...(token ? { continuationToken: token } : {}) };
          const pages = isFlat
            ? container.listBlobsByHierarchy('/', { prefix, abortSignal }).byPage(settings)
            : container.listBlobsFlat({ prefix, abortSignal }).byPage(settings);
          return pages.next().then(({ value }) => value);
        });
        if (!page) throw fail('file.storageFailed', { text: 'the container is gone' });
        const { blobItems, blobPrefixes = [] } = page.segment as {
          blobItems: BlobItem[];
          blobPrefixes?: { name: string }[];
        };
        const objects = [
          ...blobItems.map((item) => describe(item.name, item.properties)),
          ...blobPrefixes.map((folder) => describe(folder.name, {})),
        ];
        yield* isFlat ? objects.sort((a, b) => (a.key < b.key ? -1 : 1)) : objects;
        token = nextPage(page.continuationToken || undefined, token);
      } while (token !== undefined);
    },
    async get(key, range) {
      const found = await send(key, (abortSignal) =>
        container
          .getBlobClient(key)
          .download(range?.start ?? 0, range && range.end - range.start + 1, { abortSignal, maxRetryRequests: 0 }),
      );
      return found && pacedStream(found.readableStreamBody as Readable);
    },
    put: (key, source, { isNew, contentType }) =>
      upload(source, async ({ body, signal }) => {
        const options = {
          abortSignal: signal,
          blobHTTPHeaders: { blobContentType: contentType },
          ...(isNew ? { conditions: { ifNoneMatch: '*' } } : {}),
        };
        await container
          .getBlockBlobClient(key)
          .uploadStream(body, blockSize, 2, options)
          .catch((error: unknown) => {
            throw fault(error, key);
          });
      }),
    async putMarker(key) {
      await send(key, (abortSignal) => container.getBlockBlobClient(key).upload('', 0, { abortSignal }));
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += deletesAtOnce)
        await Promise.all(
          keys
            .slice(at, at + deletesAtOnce)
            .map((key) =>
              send(key, (abortSignal) =>
                container.getBlobClient(key).delete({ abortSignal, deleteSnapshots: 'include' }),
              ),
            ),
        );
    },
    async copy({ key }, target) {
      const blob = container.getBlobClient(target);
      const copied = await withDeadline(async (abortSignal) => {
        const copying = await blob.beginCopyFromURL(container.getBlobClient(key).url, {
          ...{ abortSignal, intervalInMs: 200, conditions: { ifNoneMatch: '*' } },
        });
        return copying.pollUntilDone();
      }, remoteLimits.pace).catch(async (error: unknown) => {
        if (isMissing(error)) throw fail('file.sourceMissing', { path: key });
        throw fault(error, target);
      });
      if (copied.copyStatus === 'success') return true;
      await blob.delete();
      throw fail('file.storageFailed', { text: 'the copy did not succeed' });
    },
  };
}

async function openContainer(
  container: ContainerClient,
  fault: (error: unknown, path: string) => unknown,
): Promise<void> {
  const name = container.containerName;
  try {
    // Its answer says why it is refused, as that of a HEAD does not.
    await withDeadline((abortSignal) => container.listBlobsFlat({ abortSignal }).byPage({ maxPageSize: 1 }).next());
  } catch (error) {
    if (error instanceof RestError && error.statusCode === 403)
      throw fail('file.loginRefused', { text: serverWords(error.message, []) }, { cause: error });
    if (!isMissing(error)) throw fault(error, name);
    await withDeadline((abortSignal) => container.create({ abortSignal })).catch((problem: unknown) => {
      // Another process made it meanwhile.
      if (codeOf(problem) !== 'ContainerAlreadyExists') throw fault(problem, name);
    });
  }
}

interface BlobFacts {
  contentLength?: number;
  lastModified?: Date;
  etag?: string;
  contentType?: string;
}

const describe = (key: string, { contentLength, lastModified, etag, contentType }: BlobFacts): StoredObject => ({
  ...{ key, size: contentLength ?? null, modified: lastModified ?? null, contentType: contentType || null },
  // Listings have it without quotes.
  etag: etag ? `"${etag.replaceAll('"', '')}"` : null,
});

const codeOf = (error: unknown): string | undefined => (error instanceof RestError ? error.code : undefined);
const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404;

const loginCodes = new Set(['AuthenticationFailed', 'InvalidAuthenticationInfo', 'NoAuthenticationInformation']);

function failureOf(error: unknown, path: string, secrets: readonly string[]): unknown {
  const network = networkFailure(error);
  if (network || !(error instanceof RestError)) return network ?? error;
  const { statusCode: status, code = '', message } = error;
  const options = { cause: error };
  const text = serverWords(message || code, secrets);
  if (status === 412 || code === 'BlobAlreadyExists') return fail('file.exists', { path }, options);
  if (loginCodes.has(code) || status === 401) return fail('file.loginRefused', { text }, options);
  if (status === 403) return fail('file.denied', { path }, options);
  if (status === 503 || code === 'ServerBusy') return fail('file.unreachable', { text }, options);
  if (status === 507) return fail('file.full', undefined, options);
  return fail('file.storageFailed', { text }, options);
}
