import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { createUploads, totalsOf, type Upload } from './queue.ts';

const file = (name: string, size = 10) => ({ file: new File(['x'.repeat(size)], name), path: name });
const files = (count: number) => Array.from({ length: count }, (_, index) => file(`f${index}`));
const unreachable = () => new ApiError({ status: 0, code: 0, message: 'unreachable' });

/** A queue whose sends end when the test says so. */
function aQueue(namesInFolder: string[] = []) {
  const sends: { upload: Upload; signal: AbortSignal; end: (error?: unknown) => void }[] = [];
  const parts = {
    send: (upload: Upload, { signal }: { signal: AbortSignal }) =>
      new Promise<void>((resolve, reject) => {
        const end = (error?: unknown) => (error === undefined ? resolve() : reject(error));
        signal.addEventListener('abort', () => reject(signal.reason));
        sends.push({ upload, signal, end });
      }),
    makeFolder: vi.fn(async (_service: string, _folder: string) => {}),
    namesIn: async () => namesInFolder,
    onStored: vi.fn(),
    onSettled: vi.fn(),
  };
  const uploads = createUploads(parts);
  const states = () => uploads.queue.get().uploads.map(({ state }) => state);
  const sent = (count: number) => vi.waitFor(() => expect(sends).toHaveLength(count));
  return { uploads, sends, parts, states, sent };
}

describe('uploads', () => {
  it('are sent three at a time, in order', async () => {
    const { uploads, sends, states, sent, parts } = aQueue();
    uploads.add('files', 'docs', files(5));
    await sent(3);
    expect(sends.map(({ upload }) => upload.path)).toEqual(['docs/f0', 'docs/f1', 'docs/f2']);
    sends[1]!.end();
    await sent(4);
    for (const { end } of sends) end();
    await sent(5);
    sends[4]!.end();
    await vi.waitFor(() => expect(parts.onSettled).toHaveBeenCalledTimes(1));
    expect(states()).toEqual(Array(5).fill('done'));
  });

  it('make the folders they need first, each once', async () => {
    const { uploads, parts, sent } = aQueue();
    uploads.add('files', 'docs', [file('a/b/1'), file('a/b/2'), file('a/3')]);
    await sent(3);
    expect(parts.makeFolder.mock.calls.map(([, folder]) => folder)).toEqual(['docs/a', 'docs/a/b']);
  });

  it('stop when the line drops, and go on with one call', async () => {
    const { uploads, sends, states, sent } = aQueue();
    uploads.add('files', '', files(6));
    await sent(3);
    sends[0]!.end();
    await sent(4);
    for (const { end } of sends) end(unreachable());
    await vi.waitFor(() => expect(states()).toEqual(['done', ...Array(5).fill('waiting')]));
    expect(uploads.queue.get().isInterrupted).toBe(true);
    expect(sends).toHaveLength(4);
    uploads.resume();
    await sent(7);
    expect(uploads.queue.get().isInterrupted).toBe(false);
    expect(sends.slice(4).map(({ upload }) => upload.path)).toEqual(['f1', 'f2', 'f3']);
  });

  it('that were refused say why, and are tried again alone', async () => {
    const { uploads, sends, states, sent } = aQueue();
    uploads.add('files', '', files(2));
    await sent(2);
    sends[0]!.end(new ApiError({ status: 507, code: 507, message: 'The storage has no room.' }));
    sends[1]!.end();
    await vi.waitFor(() => expect(states()).toEqual(['failed', 'done']));
    const [failed] = uploads.queue.get().uploads;
    expect((failed!.error as Error).message).toBe('The storage has no room.');
    uploads.retry(failed!.id);
    await sent(3);
    sends[2]!.end();
    await vi.waitFor(() => expect(states()).toEqual(['done', 'done']));
  });

  it('whose name is taken are replaced, stored beside it, or left out', async () => {
    const { uploads, sends, states, sent } = aQueue(['f0', 'f1', 'f2']);
    const taken = (name: string) => new ApiError({ status: 400, code: 400, message: `File '${name}' already exists.` });
    uploads.add('files', '', files(3));
    await sent(3);
    sends.forEach(({ end }, index) => {
      end(taken(`f${index}`));
    });
    await vi.waitFor(() => expect(states()).toEqual(['exists', 'exists', 'exists']));
    const [first, second, third] = uploads.queue.get().uploads;
    uploads.replace(first!.id);
    await uploads.keepBoth([second!.id]);
    uploads.skip(third!.id);
    await sent(5);
    expect(sends.slice(3).map(({ upload }) => [upload.path, upload.replaces])).toEqual([
      ['f0', true],
      ['f1 (2)', false],
    ]);
  });

  it('are cancelled while they wait and while they are sent', async () => {
    const { uploads, sends, states, sent } = aQueue();
    uploads.add('files', '', files(4));
    await sent(3);
    uploads.cancelAll();
    await vi.waitFor(() => expect(states()).toEqual(Array(4).fill('cancelled')));
    expect(sends.every(({ signal }) => signal.aborted)).toBe(true);
    expect(sends).toHaveLength(3);
  });

  it('of a file that went away fail by themselves, without taking the line for dropped', async () => {
    const { uploads, states } = aQueue();
    const gone = new File(['x'], 'gone');
    vi.spyOn(gone, 'slice').mockReturnValue({
      arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
    } as unknown as Blob);
    uploads.add('files', '', [{ file: gone, path: 'gone' }]);
    await vi.waitFor(() => expect(states()).toEqual(['failed']));
    expect(uploads.queue.get().isInterrupted).toBe(false);
  });

  it('know how far they are', () => {
    const upload = { sent: 0, file: file('a', 100).file } as Upload;
    expect(
      totalsOf([
        { ...upload, state: 'done' },
        { ...upload, state: 'sending', sent: 50 },
        { ...upload, state: 'cancelled' },
        { ...upload, state: 'waiting' },
      ]),
    ).toMatchObject({ done: 1, open: 2, cancelled: 1, share: 0.5 });
  });
});
