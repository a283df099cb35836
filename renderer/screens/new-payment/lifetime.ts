import { defaultLifeMinutes } from '../../../shared/settings/offered-options.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { Translate } from '../../i18n/text.ts';
import type { Draft } from '../../stores/new-payment/drafts.ts';

/** Lifetime of the link that the form would create, minutes. */
export const lifeOf = (
  { expiryMinutes }: Pick<Draft, 'expiryMinutes'>,
  { extras }: Pick<Profile, 'extras'>,
): number => expiryMinutes ?? (extras.sessionExpiry === 0 ? defaultLifeMinutes : extras.sessionExpiry);

/** A lifetime in whole hours, otherwise in minutes. */
export const lifeInWords = (minutes: number, t: Translate): string =>
  minutes % 60 === 0 ? t('life.hours', { hours: minutes / 60 }) : t('life.minutes', { minutes });
