// s3rver with faults mended that tests of ours met: it takes 0 as the end of a range for none, decodes the source of a copy in
// part, and takes minutes to delete thousands of files. Its listings have more than one page only with old ciphers (node --openssl-legacy-provider).
import { rmdir, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const store = require('s3rver/lib/stores/filesystem').prototype;
const { getObject } = store;
store.getObject = function (bucket, key, { end, ...options } = {}) {
  // An object is never falsy.
  return getObject.call(this, bucket, key, end === undefined ? options : { ...options, end: Object(end) });
};
// Its own reads the whole folder after every object, to see whether it is empty.
store.deleteObject = async function (bucket, key) {
  for (const kind of ['object', 'object.md5', 'metadata.json'])
    await unlink(this.getResourcePath(bucket, key, kind)).catch(() => {});
  const parts = key.split('/').slice(0, -1);
  for (; parts.length > 0; parts.pop())
    if (!(await rmdir(join(this.getBucketPath(bucket), ...parts)).then(isDone, isNotDone))) break;
};
const isDone = () => true;
const isNotDone = () => false;

const objects = require('s3rver/lib/controllers/object');
const { putObjectCopy } = objects;
objects.putObjectCopy = (ctx) => {
  const source = decodeURIComponent(ctx.headers['x-amz-copy-source']);
  ctx.headers['x-amz-copy-source'] = encodeURI(source);
  return putObjectCopy(ctx);
};

require('s3rver/bin/s3rver.js');
