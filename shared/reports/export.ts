/** The formats of an export; `csv-iso` and `jsonl` are for programs. */
export const exportFormats = ['xlsx', 'csv', 'csv-iso', 'jsonl', 'pdf'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The rows of a CSV file: one for each payment, or one for each movement of money. */
export const exportRows = ['payments', 'movements'] as const;
export type ExportRows = (typeof exportRows)[number];

/** How the statement's pages are turned. */
export const orientations = ['portrait', 'landscape'] as const;
export type Orientation = (typeof orientations)[number];

/** The formats of the overview's figures and of the payments to review. */
export const figureFormats = ['xlsx', 'csv', 'csv-iso'] as const satisfies readonly ExportFormat[];
