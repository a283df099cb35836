/** The two halves of a verification; they do not need each other, so they run side by side. */
export const auditParts = ['chain', 'projection'] as const;
export type AuditPart = (typeof auditParts)[number];
