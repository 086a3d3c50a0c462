// A bucket as an object store, by the library of AWS.
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type Failure, fail } from '@sluice/contract';
import { networkFailure, serverWords } from '../../storage/network.ts';
import { pacedStream, remoteLimits, upload, withDeadline } from '../../storage/object-calls.ts';
import { nextPage, type ObjectStore, objectLimits, type StoredObject } from '../../storage/objects.ts';

export interface S3Options {
  bucket: string;
  region: string;
  /** Another server than Amazon's. */
  endpoint?: string | undefined;
  /** Absent: what the library finds on this machine. */
  login?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Bytes of a part of an upload; 10,000 are possible. Two are in memory at once, besides one that is being filled. */
const partSize = 8 * 1024 * 1024;
/** Largest object that the server copies in one call. */
const largestCopy = 5 * 1024 ** 3;

/** Opens a bucket, which is made when it is missing. */
export async function openS3Store({ bucket, region, endpoint, login }: S3Options): Promise<ObjectStore> {
  const client = new S3Client({
    region,
    // Host names of buckets need DNS and certificates that other servers seldom have.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(login ? { credentials: login } : {}),
    requestHandler: {
      connectionTimeout: remoteLimits.connect,
      requestTimeout: 2 * remoteLimits.answer,
      throwOnRequestTimeout: true,
    },
    // Other servers know the older checksums at most; TLS guards the way.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body?: unknown };
      if (response.body instanceof Readable) response.body = pacedStream(response.body);
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'pacedBody' },
  );
  const secrets = [login?.secretAccessKey, login?.accessKeyId];
  /** Runs a call; answers undefined where there is no such object. */
  const send = async <T>(key: string, run: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    try {
      return await withDeadline(run);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw failureOf(error, key, secrets);
    }
  };
  const address = { Bucket: bucket };

  await openBucket(client, bucket, region, secrets).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return {
    maxKey: 1024,
    async head(key) {
      const found = await send(key, (abortSignal) =>
        client.send(new HeadObjectCommand({ ...address, Key: key }), { abortSignal }),
      );
      return found && describe(key, found.ContentLength, found.LastModified, found.ETag, found.ContentType);
    },
    async *list(prefix, { isFlat, limit = objectLimits.page }) {
      let token: string | undefined;
      do {
        const page = await send(prefix, (abortSignal) =>
          client.send(
            new ListObjectsV2Command({
              ...{ ...address, Prefix: prefix, MaxKeys: limit, EncodingType: 'url' },
              ...(isFlat ? { Delimiter: '/' } : {}),
              ...(token === undefined ? {} : { ContinuationToken: token }),
            }),
            { abortSignal },
          ),
        );
        if (!page) throw fail('file.storageFailed', { text: 'the bucket is gone' });
        const decoded = page.EncodingType === 'url' ? decodeKey : (key: string) => key;
        const objects = (page.Contents ?? []).map(({ Key = '', Size, LastModified, ETag }) =>
          describe(decoded(Key), Size, LastModified, ETag),
        );
        const folders = (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => describe(decoded(Prefix)));
        yield* inOrder(objects, folders);
        token = nextPage(page.IsTruncated ? page.NextContinuationToken : undefined, token);
      } while (token !== undefined);
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await send(key, (abortSignal) =>
        client.send(new GetObjectCommand({ ...address, Key: key, ...(Range ? { Range } : {}) }), { abortSignal }),
      );
      const body = found?.Body as Readable | undefined;
      if (!Range || !found || found.ContentRange?.startsWith(`bytes ${range.start}-`)) return body;
      body?.destroy();
      throw fail('file.storageFailed', { text: 'it did not send the part that was asked for' });
    },
    put: (key, source, { isNew, contentType }) =>
      upload(source, async ({ body, signal }) => {
        const sending = new Upload({
          client,
          partSize,
          queueSize: 2,
          params: {
            ...address,
            Key: key,
            Body: body,
            ContentType: contentType,
            ...(isNew ? { IfNoneMatch: '*' } : {}),
          },
        });
        signal.addEventListener('abort', () => sending.abort(), { once: true });
        await sending.done().catch((error: unknown) => {
          throw failureOf(error, key, secrets);
        });
      }),
    async putMarker(key) {
      await send(key, (abortSignal) =>
        client.send(new PutObjectCommand({ ...address, Key: key, Body: new Uint8Array(), ContentLength: 0 }), {
          abortSignal,
        }),
      );
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += 1000) {
        const Objects = keys.slice(at, at + 1000).map((Key) => ({ Key }));
        const result = await send(keys[at] as string, (abortSignal) =>
          client.send(new DeleteObjectsCommand({ ...address, Delete: { Objects, Quiet: true } }), { abortSignal }),
        );
        const refused = result?.Errors?.[0];
        if (refused?.Code === 'AccessDenied') throw fail('file.denied', { path: refused.Key ?? '' });
        if (refused)
          throw fail('file.storageFailed', { text: serverWords(refused.Message ?? refused.Code ?? '', secrets) });
      }
    },
    async copy({ key, size }, target) {
      if (size === null || size > largestCopy) return false;
      // It is an address, so that it is encoded; the library leaves that to its callers.
      const CopySource = `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
      const copied = await withDeadline(
        (abortSignal) =>
          client.send(new CopyObjectCommand({ ...address, Key: target, CopySource, IfNoneMatch: '*' }), {
            abortSignal,
          }),
        remoteLimits.pace,
      ).catch((error: unknown) => {
        if (!isMissing(error)) throw failureOf(error, target, secrets);
      });
      if (!copied) throw fail('file.sourceMissing', { path: key });
      return true;
    },
    async close() {
      client.destroy();
    },
  };
}

/** Listing is what a service needs at the least, and its answer says why when it is refused, as that of a HEAD does not. */
async function openBucket(client: S3Client, Bucket: string, region: string, secrets: Secrets): Promise<void> {
  try {
    await withDeadline((abortSignal) => client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), { abortSignal }));
  } catch (error) {
    if (nameOf(error) !== 'NoSuchBucket') throw failureOf(error, Bucket, secrets);
    const place = region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint: region as never } };
    await withDeadline((abortSignal) =>
      client.send(new CreateBucketCommand({ Bucket, ...place }), { abortSignal }),
    ).catch((problem: unknown) => {
      // Another process made it meanwhile.
      if (nameOf(problem) !== 'BucketAlreadyOwnedByYou') throw failureOf(problem, Bucket, secrets);
    });
  }
}

const describe = (key: string, size?: number, modified?: Date, etag?: string, contentType?: string): StoredObject => ({
  ...{ key, size: size ?? null, modified: modified ?? null, etag: etag ?? null, contentType: contentType ?? null },
});

/** Servers encode keys so that XML can hold them, blanks as `+`; some do not although they were asked to. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

/** The objects and the folders of a page, both in order, as one list. */
function* inOrder(objects: StoredObject[], folders: StoredObject[]): Generator<StoredObject> {
  let next = 0;
  for (const object of objects) {
    while (next < folders.length && (folders[next] as StoredObject).key < object.key)
      yield folders[next++] as StoredObject;
    yield object;
  }
  yield* folders.slice(next);
}

type Secrets = readonly (string | undefined)[];

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
const isMissing = (error: unknown) => ['NoSuchKey', 'NotFound'].includes(nameOf(error));

/** Codes of a login that the server does not accept. */
const loginCodes = new Set([
  ...['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken', 'RequestTimeTooSkewed'],
  ...['AuthorizationHeaderMalformed', 'CredentialsProviderError', 'InvalidSecurity', 'AccountProblem'],
]);
const fullCodes = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'StorageFull']);

function failureOf(error: unknown, path: string, secrets: Secrets): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const options = { cause: error };
  // Without a message of the server the library says "UnknownError".
  const text = serverWords(message === 'UnknownError' ? name : message, secrets);
  if (status === 412 || name === 'PreconditionFailed' || name === 'ConditionalRequestConflict')
    return fail('file.exists', { path }, options);
  if (loginCodes.has(name)) return fail('file.loginRefused', { text }, options);
  if (fullCodes.has(name) || status === 507) return fail('file.full', undefined, options);
  if (status === 403) return fail('file.denied', { path }, options);
  if (status === 503 || name === 'SlowDown') return fail('file.unreachable', { text }, options);
  if (name === 'TimeoutError') return fail('file.timeout', { seconds: (2 * remoteLimits.answer) / 1000 }, options);
  const failure: Failure | undefined = networkFailure(error);
  if (failure) return failure;
  return status === undefined ? error : fail('file.storageFailed', { text }, options);
}
