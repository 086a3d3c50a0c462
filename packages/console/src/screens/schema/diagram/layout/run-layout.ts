import type { LayoutRequest, Places } from './lay-out.ts';

/** So many boxes are laid out within a frame or two; a worker would take longer to start. */
const maxHere = 25;

const layOutHere = async (request: LayoutRequest): Promise<Places> => {
  const { layOut } = await import('./lay-out.ts');
  return layOut(request);
};

/** The places of the boxes. Never answers once `signal` has aborted. */
export function runLayout(request: LayoutRequest, signal: AbortSignal): Promise<Places> {
  if (request.boxes.length <= maxHere || typeof Worker === 'undefined') return layOutHere(request);
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const stop = () => worker.terminate();
    signal.addEventListener('abort', stop);
    worker.onmessage = ({ data }: MessageEvent<Places>) => {
      stop();
      resolve(data);
    };
    // A browser may refuse the worker; then the page waits.
    worker.onerror = () => {
      stop();
      if (!signal.aborted) layOutHere(request).then(resolve, reject);
    };
    worker.postMessage(request);
  });
}
