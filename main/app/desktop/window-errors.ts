import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { forwardFailure, newReference } from '../../app-log/failure-report.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Limit of recorded renderer errors per minute: an error at every frame must not rotate the log away. */
const maxReports = 5;
const periodMs = 60_000;
/** Limit of each text, characters: it is cut before it is redacted. */
const maxChars = 2_048;

const messages = {
  error: 'The window met an error that nothing handled.',
  rejection: 'A promise of the window was rejected and nothing handled it.',
  render: 'A screen could not be shown.',
} as const;

/** The requests about the application log: record a renderer error, and show the log's folder. */
export const createWindowErrorHandlers = ({
  appLog,
  system,
  clock,
}: Pick<AppDependencies, 'appLog' | 'system' | 'clock'>): Pick<
  Handlers,
  'app.reportError' | 'app.showLog'
> => {
  let startedAt = clock();
  let reports = 0;
  return {
    'app.reportError': async ({ kind, name, message, stack }) => {
      if (Math.abs(clock() - startedAt) > periodMs) {
        startedAt = clock();
        reports = 0;
      }
      reports += 1;
      if (reports > maxReports) return ok({ reference: null });
      const reference = newReference();
      const cut = (text: string): string => text.slice(0, maxChars);
      const error = {
        name: cut(name),
        message: cut(message),
        stack: stack && cut(stack),
        code: null,
        cause: null,
      };
      forwardFailure({ area: 'window', message: messages[kind], reference, error });
      return ok({ reference });
    },
    'app.showLog': async () => {
      await appLog.flush();
      system.showInFolder(appLog.file);
      return ok({});
    },
  };
};
