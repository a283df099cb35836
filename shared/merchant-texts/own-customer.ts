import type { Payment } from '../payments/payment.ts';

/**
 * The customer as the merchant named them, or a status check of a payment that was not created here, for greetings,
 * recipients and headings. Null for the name of a card on a link of ours, and for the details of a callback, which its
 * signature does not cover (§5.3): anyone can write them.
 */
export const ownCustomer = ({
  customer,
  customerFrom,
  raisedHere,
}: Pick<Payment, 'customer' | 'customerFrom' | 'raisedHere'>): Payment['customer'] =>
  customerFrom === 'callback' || (customerFrom === 'look-up' && raisedHere) ? null : customer;
