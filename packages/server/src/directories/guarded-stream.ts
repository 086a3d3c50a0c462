// The connection to a directory as the client library has it: what comes is bounded, checked, and passed on message by message.
// Without that a hostile directory fills the memory, or stops the process by messages whose lengths are wrong.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { isMessage, messageLength } from './message-check.ts';

export interface StreamBounds {
  /** Bytes of one message. */
  message: number;
  /** Bytes, and messages, that come in all. */
  bytes: number;
  messages: number;
}

/** Stands in for a socket that is connected. */
export class GuardedStream extends Duplex {
  readonly connecting = false;
  readonly readyState = 'open';
  /** Why it was ended from here. */
  problem: string | undefined;
  #socket: Socket;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Bytes that the message has which is being read; undefined until its header is there. */
  #wanted: number | undefined;
  #bytes = 0;
  #messages = 0;
  readonly #bounds: StreamBounds;

  constructor(socket: Socket, bounds: StreamBounds) {
    // As objects, so that what is read is one message each time.
    super({ readableObjectMode: true });
    this.#bounds = bounds;
    this.#socket = socket;
    this.#listen(socket);
  }

  /** Goes on with a socket that encrypts the one so far. Nothing that came before it may be left. */
  async upgrade(encrypt: (socket: Socket) => Promise<Socket>): Promise<void> {
    const plain = this.#socket;
    if (this.#pendingBytes > 0) throw this.#end('it went on unencrypted');
    plain.removeAllListeners('data');
    plain.removeAllListeners('end');
    this.#socket = await encrypt(plain);
    this.#listen(this.#socket);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#pending = [];
    this.#socket.destroy();
    done(error);
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  #end(problem: string): Error {
    this.problem ??= problem;
    const error = new Error(problem);
    this.destroy(error);
    return error;
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bounds.bytes) return void this.#end('it sent more than is read');
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    try {
      while (this.#pendingBytes > 0 && !this.destroyed) {
        this.#wanted ??= this.#readHeader();
        if (this.#wanted === undefined || this.#pendingBytes < this.#wanted) return;
        this.#passOn(this.#wanted);
        this.#wanted = undefined;
      }
    } catch {
      this.#end('it sent what is no message of a directory');
    }
  }

  /** What a header says is in the first bytes, which are made one piece for it. */
  #readHeader(): number | undefined {
    if (this.#pending.length > 1) this.#pending = [Buffer.concat(this.#pending)];
    const length = messageLength(this.#pending[0] as Buffer);
    if (length !== undefined && length > this.#bounds.message) throw new Error('too long');
    return length;
  }

  #passOn(length: number): void {
    const bytes = this.#pending.length > 1 ? Buffer.concat(this.#pending) : (this.#pending[0] as Buffer);
    const message = bytes.subarray(0, length);
    this.#messages += 1;
    if (this.#messages > this.#bounds.messages) return void this.#end('it sent more than is read');
    if (!isMessage(message)) throw new Error('no message');
    this.#pendingBytes -= length;
    this.#pending = this.#pendingBytes > 0 ? [bytes.subarray(length)] : [];
    this.push(message);
  }
}
