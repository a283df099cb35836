import type { AppError } from '../../../shared/errors.ts';
import type { Translate } from '../../i18n/text.ts';

/** Why a name was not taken, to stand beside its box; null when it was not about the name. */
export const nameProblem = (error: AppError | null, t: Translate): string | null =>
  error?.code === 'input.invalid' && error.fields?.some(field => field.path === 'name')
    ? t('templates.name-taken')
    : null;
