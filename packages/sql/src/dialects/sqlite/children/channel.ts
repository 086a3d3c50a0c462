// Messages over a socket between this process and a child that another process started: each is a length of four bytes,
// then the value as V8 writes it. Between the two sides of one build, so there is no version of it.
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const headerLength = 4;

export function sendMessage(socket: Socket, message: unknown): void {
  const body = serialize(message);
  const header = Buffer.allocUnsafe(headerLength);
  header.writeUInt32BE(body.length);
  socket.cork();
  socket.write(header);
  socket.write(body);
  socket.uncork();
}

/** Calls `take` with each message as it is complete. */
export function receiveMessages(socket: Socket, take: (message: unknown) => void): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let awaited = headerLength;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= awaited) {
      // A long message is put together once, when all of it is there.
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
      const end = headerLength + bytes.readUInt32BE(0);
      const isWhole = length >= end;
      const rest = isWhole ? bytes.subarray(end) : bytes;
      chunks = rest.length > 0 ? [rest] : [];
      length = rest.length;
      awaited = isWhole ? headerLength : end;
      if (isWhole) take(deserialize(bytes.subarray(headerLength, end)));
    }
  });
}
