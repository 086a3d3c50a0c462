import { download } from '../../../api/index.ts';
import { formatNumber, text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { currentPalette, type Drawing, pngScale, toPng, toSvg } from './export.ts';

export type PictureKind = 'svg' | 'png';

/** Saves the whole drawing as a file; says so when it had to be made smaller. */
export async function savePicture(drawing: Drawing, kind: PictureKind, name: string): Promise<void> {
  try {
    const picture = toSvg(drawing, currentPalette());
    const content = kind === 'svg' ? new Blob([picture.markup], { type: 'image/svg+xml' }) : await toPng(picture);
    const address = URL.createObjectURL(content);
    download(address, `${name}.${kind}`);
    // The browser reads the address after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    const scale = pngScale(picture.width, picture.height);
    if (kind === 'svg' || scale >= 1) return;
    const percent = formatNumber(Math.round(scale * 1000) / 10);
    notify.info(text('schema:diagram.scaledDownText'), text('schema:diagram.scaledDown', { percent }));
  } catch (error) {
    notify.error(text('schema:diagram.exportFailed'), error);
  }
}
