import * as fc from 'fast-check';
import type { PaymentFilter } from '../../shared/contract/contract.ts';
import { flagKinds, paymentStates } from '../../shared/payments/payment-kinds.ts';
import { filter } from '../app-harness/running-payment-log.ts';
import { hour, start } from './evidence.ts';

const day = 24 * hour;

/** Profiles of random evidence. */
export const profiles = ['shop', 'sandbox', 'Shöp'];

/** A random day, word and position among those that occur. */
export const filters: fc.Arbitrary<PaymentFilter> = fc
  .record({
    words: fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          'chair',
          'cf-1',
          'cf-1037',
          'CF',
          'c',
          '12',
          '123.40',
          '123,40',
          '=123.40',
          'jorg eur',
          'łódź',
          'lodz',
          '注文',
          '100%',
          '50%',
          "o'hara",
          'a\\b',
          'unicode',
          'shop.example',
          '1111',
          'usd',
          'no match',
          '%',
          '_',
          'a1b2c3',
        ),
      },
    ),
    profileId: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.constantFrom(...profiles, 'gone')),
    states: fc.oneof(
      { weight: 2, arbitrary: fc.constant<never[]>([]) },
      { weight: 2, arbitrary: fc.subarray([...paymentStates]) },
    ),
    currency: fc.constantFrom(null, null, 'EUR', 'USD'),
    flags: fc.oneof(
      { weight: 3, arbitrary: fc.constant<never[]>([]) },
      { weight: 1, arbitrary: fc.subarray([...flagKinds], { maxLength: 4 }) },
    ),
    agent: fc.constantFrom(null, null, null, 'Ada', 'grace', 'Zoe'),
    raisedHere: fc.constantFrom(null, null, true, false),
    from: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      fc.integer({ min: -1, max: 11 }).map(days => start + days * day),
    ),
    until: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      fc.integer({ min: -1, max: 12 }).map(days => start + days * day + hour),
    ),
  })
  .map(filter);
