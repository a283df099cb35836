import { formulas, sign } from '../signatures/signature.ts';

/** The order of the sample. */
const order = {
  id: '0e4a7c1e-9d3b-4f57-8a66-2f1f0c9b7d10',
  order_number: 'EXAMPLE-1',
  order_amount: '12.50',
  order_currency: 'EUR',
  order_description: 'Two tickets',
};

/**
 * A callback as in a merchant's server log (§5), to try the inspector without a real one. If it is not valid, its amount
 * was changed after it was signed: the most frequent fault between a gateway and a merchant.
 */
export const sampleCallback = (password: string, isValid: boolean): string => {
  const hash = sign(formulas.callback, order, password, { digest: 'md5', uppercasing: 'ascii' });
  const sent = { ...order, order_amount: isValid ? order.order_amount : '12.5' };
  return Object.entries({ ...sent, type: 'sale', status: 'success', customer_ip: '192.0.2.7', hash })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
};
