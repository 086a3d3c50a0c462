// The content type of a file by its name.
import mime from 'mime';

/** The type that a storage keeps, or that of the ending; a package of an app is a zip. */
export const contentTypeOf = (path: string, stored: string | null): string =>
  stored ?? (/\.dfpkg$/i.test(path) ? 'application/zip' : (mime.getType(path) ?? 'application/octet-stream'));
