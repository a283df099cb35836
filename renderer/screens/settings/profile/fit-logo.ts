import { isMerchantLogo, maxLogoSize } from '../../../../shared/settings/merchant-logo.ts';

/** Tried in turn until the picture is small enough: a drawing is small as PNG, a photograph as JPEG. */
const attempts = [
  { scale: 1, type: 'image/png' },
  { scale: 0.5, type: 'image/png' },
  { scale: 1, type: 'image/jpeg' },
  { scale: 0.5, type: 'image/jpeg' },
] as const;

/** JPEG has no transparency: what is under the picture is the paper. */
const paper = '#fff';

/** A chosen picture as a logo, scaled down to its limits and without the file's other data; null if it is not a picture. */
export const fitLogo = async (file: Blob): Promise<string | null> => {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') return null;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return null;
  }
  try {
    const fit = Math.min(1, maxLogoSize.width / picture.width, maxLogoSize.height / picture.height);
    for (const { scale, type } of attempts) {
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.floor(picture.width * fit * scale));
      canvas.height = Math.max(1, Math.floor(picture.height * fit * scale));
      const drawing = canvas.getContext('2d');
      if (drawing === null) return null;
      if (type === 'image/jpeg') {
        drawing.fillStyle = paper;
        drawing.fillRect(0, 0, canvas.width, canvas.height);
      }
      drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const url = canvas.toDataURL(type, 0.85);
      if (isMerchantLogo(url)) return url;
    }
    return null;
  } finally {
    picture.close();
  }
};
