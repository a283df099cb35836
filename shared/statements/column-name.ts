/** The name of a column in a mapping. */
export const columnName = (heading: string | undefined, index: number): string =>
  heading === undefined || heading.trim() === '' ? `#${index + 1}` : heading.trim();
