import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Writes problems of the settings file to the application log, now and after every change. */
export const recordSettingsProblems = (
  { settings, appLog }: Pick<AppDependencies, 'settings' | 'appLog'>,
  onChange: () => void,
): void => {
  settings.onProblem(() => {
    const problem = settings.problem();
    if (problem)
      appLog.write('error', 'settings', inEnglish(problem.message), {
        cause: problem.details?.['cause'] ?? null,
      });
    else appLog.write('info', 'settings', 'The settings are saved again.');
    onChange();
  });
  const { blocked } = settings;
  const { recovery } = settings.read();
  if (blocked ?? recovery)
    appLog.write('error', 'settings', 'The settings could not be read in full.', {
      code: blocked?.code ?? 'recovered',
      problems: recovery?.problems.length ?? 0,
    });
};
