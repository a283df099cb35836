/* A code drawn as SVG cannot be an image file. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code of `text`, black on white in every theme, with quiet zone: level M, four modules around. */
export const QrCode = ({ text, name, size = 200 }: { text: string; name: string; size?: number }) => {
  const { path, modules } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
    const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
    return { path, modules };
  }, [text]);
  // At least three pixels per module, the minimum for a phone's camera.
  const pixels = Math.max(size, modules * 3);
  return (
    <svg
      className="qr"
      width={pixels}
      height={pixels}
      viewBox={`0 0 ${modules} ${modules}`}
      role="img"
      aria-label={name}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
