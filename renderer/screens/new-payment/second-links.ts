import type { AppError } from '../../../shared/errors.ts';
import type { Route } from '../../routes.ts';

/** The answers that a person has given about second links, which the next attempt carries. */
export type AllowedSeconds = { allowDuplicate: boolean; allowSameIntent: boolean };
export const noneAllowed: AllowedSeconds = { allowDuplicate: false, allowSameIntent: false };

/** The question that a refusal of a second link asks; null for every other error. */
export const questionOf = (error: AppError | null): keyof AllowedSeconds | null => {
  if (error?.code === 'payment.same-intent') return 'allowSameIntent';
  return error?.code === 'payment.duplicate' || error?.code === 'payment.raised-elsewhere'
    ? 'allowDuplicate'
    : null;
};

/** The number of the order that has the first link; null while only its claim is known here. */
export const firstOrderOf = (error: AppError): string | null => {
  const orderNumber = error.details?.['orderNumber'];
  return typeof orderNumber === 'string' && orderNumber !== '' ? orderNumber : null;
};

/** Where the first link can be seen: its payment, or the list in which it appears once it is here. */
export const firstLinkRoute = (error: AppError, profileId: string): Route => {
  const orderNumber = firstOrderOf(error);
  return orderNumber === null
    ? { screen: 'payments', view: 'today', words: '' }
    : { screen: 'payment', profileId, orderNumber };
};
