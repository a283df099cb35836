/** The merchant's logo on papers: a PNG or JPEG picture as a data URL. SVG is refused, because it can contain programs. */

/** Size limit of the file, bytes: with it, a shared profile stays under the limit of a team's records. */
export const maxLogoBytes = 48 * 1024;
/** Size limit of the picture, pixels: 100 by 34 mm on paper. */
export const maxLogoSize = { width: 1_200, height: 400 } as const;

/** Length limit of the data URL, characters. */
export const maxLogoChars = 'data:image/jpeg;base64,'.length + Math.ceil(maxLogoBytes / 3) * 4;

type Size = { width: number; height: number };

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const isPng = (bytes: Uint8Array): boolean => pngSignature.every((byte, at) => bytes[at] === byte);

/** The size in a PNG's first chunk; null if it has none. */
const pngSize = (bytes: Uint8Array): Size | null => {
  if (bytes.length < 33 || String.fromCharCode(...bytes.subarray(12, 16)) !== 'IHDR') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
};

/** Whether a JPEG's marker begins a frame, whose header has the size. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The size in a JPEG's first frame; null if it has none. */
const jpegSize = (bytes: Uint8Array): Size | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
};

const bytesOf = (base64: string): Uint8Array | null => {
  try {
    return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  } catch {
    return null;
  }
};

/** Whether a data URL is a logo: of one of the two kinds by its bytes, and within the limits. An empty text means no logo. */
export const isMerchantLogo = (url: string): boolean => {
  if (url === '') return true;
  const [, kind, base64 = ''] = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  const bytes = kind === undefined || url.length > maxLogoChars ? null : bytesOf(base64);
  if (!bytes || bytes.length > maxLogoBytes) return false;
  const isKind = kind === 'png' ? isPng(bytes) : bytes[0] === 0xff && bytes[1] === 0xd8;
  const size = isKind ? (kind === 'png' ? pngSize(bytes) : jpegSize(bytes)) : null;
  return (
    size !== null &&
    size.width > 0 &&
    size.height > 0 &&
    size.width <= maxLogoSize.width &&
    size.height <= maxLogoSize.height
  );
};
