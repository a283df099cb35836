import type { Payment } from '../payments/payment.ts';

/**
 * The customer as the merchant or a status check named them, for greetings, recipients and headings. Null for the details
 * of a callback, which its signature does not cover (§5.3): anyone can write them.
 */
export const ownCustomer = ({
  customer,
  customerFrom,
}: Pick<Payment, 'customer' | 'customerFrom'>): Payment['customer'] =>
  customerFrom === 'callback' ? null : customer;
