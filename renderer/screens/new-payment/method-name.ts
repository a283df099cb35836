import type { Translate } from '../../i18n/text.ts';

/** A payment method in words. A provider's own methods are shown as it names them. */
export const methodName = (method: string, t: Translate): string =>
  method === 'card' ? t('new.method.card') : method;
