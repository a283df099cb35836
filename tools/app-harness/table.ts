/** The rows of a table in a text, for `test.each`: a line each, its cells between bars. */
export const tableOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map(row => row.split('|').map(cell => cell.trim()));
