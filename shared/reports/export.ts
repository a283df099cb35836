/** The formats of an export; `csv-iso` and `jsonl` are for programs. */
export const exportFormats = ['xlsx', 'csv', 'csv-iso', 'jsonl', 'pdf'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The formats of the overview's figures and of the payments to review. */
export const figureFormats = ['xlsx', 'csv', 'csv-iso'] as const satisfies readonly ExportFormat[];
