import { createHash } from 'node:crypto';

/** Distinct callbacks, signed like a gateway's (§5.3); `first`: how many came before. */
export const signedCallbacks = (password: string, first = 0): (() => string) => {
  let count = first;
  return () => {
    count += 1;
    const id = `6f1d2c3b-0000-4000-8000-${String(count).padStart(12, '0')}`;
    const number = `LOAD-${count}`;
    const inner = createHash('md5').update(
      `${id}${number}12.50EURTWO NIGHTS, ROOM 12${password}`.toUpperCase(),
    );
    const hash = createHash('sha1').update(inner.digest('hex')).digest('hex');
    return `id=${id}&order_number=${number}&order_amount=12.50&order_currency=EUR&order_description=Two+nights%2C+room+12&type=sale&status=success&rrn=123456789012&approval_code=A1B2C3&card=411111****1111&card_expiration_date=01%2F2038&customer_name=Jane+Doe&customer_email=jane%40example.com&customer_ip=192.0.2.7&date=2026-03-02+10%3A11%3A12&hash=${hash}`;
  };
};
