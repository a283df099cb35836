import { Download } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { useExport, useExportDialog, type ExportSubject } from '../../stores/reports/export-store.ts';

/** Opens the export dialog for a list, selected payments or the overview. */
export const ExportButton = ({ subject, children }: { subject: ExportSubject; children: string }) => {
  const isBusy = useExport(({ requestId }) => requestId !== null);
  return (
    <Button
      request="payments.export"
      icon={Download}
      isPending={isBusy}
      onPress={() => useExportDialog.getState().open(subject)}
    >
      {children}
    </Button>
  );
};
