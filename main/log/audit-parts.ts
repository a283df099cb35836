/** The parts of a verification: the chain, and the older and the newer payments. They run side by side. */
export const auditParts = ['chain', 'older', 'newer'] as const;
export type AuditPart = (typeof auditParts)[number];
