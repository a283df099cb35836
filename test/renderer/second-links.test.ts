import { expect, test } from 'vitest';
import { firstLinkRoute } from '../../renderer/screens/new-payment/second-links.ts';
import type { AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';

const refusal = (orderNumber: string): AppError => ({
  code: 'payment.same-intent',
  message: msg('error.input.invalid'),
  details: { profileId: 'shop', orderNumber },
});

test('the question about a second link leads to the payment with the first one', () => {
  expect(firstLinkRoute(refusal('CF-1'), 'shop')).toEqual({
    screen: 'payment',
    profileId: 'shop',
    orderNumber: 'CF-1',
  });
});

test('a first link that another console is only about to create leads to the list, not to a payment without number', () => {
  expect(firstLinkRoute(refusal(''), 'shop')).toEqual({ screen: 'payments', view: 'today', words: '' });
});
