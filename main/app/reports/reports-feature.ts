import type { AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import { createDossierHandlers } from './dossier-handlers.ts';
import { createExportHandlers } from './exports.ts';
import { createFiguresExportHandlers } from './figures-export.ts';
import { createFinishedFiles } from './finished-files.ts';
import { createHandoverNoteHandlers } from './handover-note.ts';
import { createOverviewHandlers } from './overview-handlers.ts';
import { createReconciliationHandlers } from './reconciliation.ts';

/** The overview, the handover note, reconciliation, and everything that is exported from payments. */
export const createReportsFeature = (
  parts: AppDependencies,
  heads: HeadSigner,
  cancellations: CancellationRegistry,
) => {
  const files = createFinishedFiles(parts.system, heads);
  return {
    files,
    handlers: {
      ...createDossierHandlers(parts, heads, files),
      ...createExportHandlers(parts, files, cancellations),
      ...createHandoverNoteHandlers(parts),
      ...createOverviewHandlers(parts),
      ...createFiguresExportHandlers(parts, files),
      ...createReconciliationHandlers(parts, files),
    },
  };
};
