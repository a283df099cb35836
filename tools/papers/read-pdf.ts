/** What a PDF of Chromium says about itself: it compresses its pages, but not its list of objects. */

export const pageCountOf = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** The names of the embedded fonts, without the mark of a part: `Inter-Regular`. Drawn letters are `Type3`. */
export const fontsOf = (pdf: Buffer): string[] => {
  const text = pdf.toString('latin1');
  const named = [...text.matchAll(/\/BaseFont\s*\/(?:[A-Z]{6}\+)?([\w-]+)/g)].map(([, name = '']) => name);
  const drawn = /\/Subtype\s*\/Type3\b/.test(text) ? ['Type3'] : [];
  return [...new Set([...named, ...drawn])].toSorted();
};

/** The number of pictures in it; one that is drawn in part through has a second for that. */
export const pictureCountOf = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Subtype\s*\/Image\b/g)?.length ?? 0;

/** Whether its first page is wider than high. */
export const isWide = (pdf: Buffer): boolean => {
  const [, width = '0', height = '0'] =
    /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? [];
  return Number(width) > Number(height);
};
