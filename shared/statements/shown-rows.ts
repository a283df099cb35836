/** Rows of each list that the window gets; the report has all. */
export const maxShownRows = 500;
