/**
 * The fonts of every paper, so that it looks the same on every system. Static ones: Chromium embeds them by name in a
 * PDF, and a variable font only as drawings. The build copies them beside the program (main/vite.config.ts).
 */

/** The folder of the fonts, beside the program and in a page's address. */
export const paperFontFolder = 'paper-fonts';

type PaperFont = {
  family: 'Inter' | 'JetBrains Mono';
  weight: 400 | 600;
  /** The file's name in its package and in the folder. */
  file: string;
  /** Path of the file in node_modules. */
  source: string;
  isLatin: boolean;
};

const font = (family: PaperFont['family'], weight: PaperFont['weight'], isLatin: boolean): PaperFont => {
  const id = family === 'Inter' ? 'inter' : 'jetbrains-mono';
  const file = `${id}-${isLatin ? 'latin' : 'latin-ext'}-${weight}-normal.woff2`;
  return { family, weight, file, source: `@fontsource/${id}/files/${file}`, isLatin };
};

/** Letters of other scripts use the system's font. */
export const paperFonts: readonly PaperFont[] = [true, false].flatMap(isLatin => [
  font('Inter', 400, isLatin),
  font('Inter', 600, isLatin),
  font('JetBrains Mono', 400, isLatin),
]);

/** The characters of the two files of a font, as their package divides them. */
const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const latinExtended =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

/** The fonts as a style sheet of a page that is served with them. */
export const fontFaces = paperFonts
  .map(
    ({ family, weight, file, isLatin }) =>
      `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url("/${paperFontFolder}/${file}") format("woff2"); unicode-range: ${isLatin ? latin : latinExtended}; }`,
  )
  .join('\n');

/** Loads the Latin files before the page is shown; Chromium loads the others when it prints. */
export const fontPreloads = paperFonts
  .filter(({ isLatin }) => isLatin)
  .map(
    ({ file }) =>
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${paperFontFolder}/${file}">`,
  )
  .join('\n');
