import type { AppError } from '../../../shared/errors.ts';
import type { Translate } from '../../i18n/text.ts';

/** Why a name was refused, for its field; null if the name was not the reason. */
export const nameProblem = (error: AppError | null, t: Translate): string | null =>
  error?.code === 'input.invalid' && error.fields?.some(field => field.path === 'name')
    ? t('templates.name-taken')
    : null;
