// Zips byte by byte, so that a test can say something else than what is in them.
import { deflateRawSync } from 'node:zlib';

export interface ZipFixtureEntry {
  /** Text is UTF-8. */
  name: string | Buffer;
  content?: string | Buffer;
  /** What the headers say instead of what is so. */
  size?: number;
  crc?: number;
  /** Bit 0: encrypted; bit 11: the name is UTF-8. */
  flags?: number;
  /** 0: as it is; 8: deflated. */
  method?: number;
  /** The system it was made on: 0 is DOS, 3 Unix. */
  system?: number;
  /** The mode of Unix, with the type of the file. */
  mode?: number;
  /** The place of another entry, instead of its own. */
  offset?: number;
}

/** A zip of entries as they are given. */
export function zipOf(...entries: ZipFixtureEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? '') as string);
    const { flags = 0x800, method = 8, system = 3, mode = 0o100644 } = entry;
    const data = method === 8 ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(entry.crc ?? crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), common, name, data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(system === 3 ? (mode << 16) >>> 0 : 0, 6);
    rest.writeUInt32LE(entry.offset ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, system]), common, rest, name);
    offset += 30 + name.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}

export function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
