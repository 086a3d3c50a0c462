// Lays out beside the page, which stays usable meanwhile.
import { type LayoutRequest, layOut } from './lay-out.ts';

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(layOut(data));
