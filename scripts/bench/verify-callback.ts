import { createHash } from 'node:crypto';
import { readBody } from '../../main/callbacks/read-body.ts';
import { verifyFields } from '../../main/callbacks/verify-callback.ts';
import { formulas, sign } from '../../main/signatures/signature.ts';
import { atMost, alternate, type Row } from './measure.ts';

/** Calls in one timed round: a single one is too short to time. */
const batch = 500;

/**
 * Parsing and verifying a received callback, compared with the two bare hashes of the same string, in the usual code
 * (`createHash`).
 */
export const verifyCallback = async (): Promise<Row[]> => {
  const password = 's3cr3t';
  const signed = {
    id: 'db5b5fab-8f4d-4e27-9da1-494c73cf256d',
    order_number: 'order-61033',
    order_amount: '4738.80',
    order_currency: 'PLN',
    order_description: 'Two nights, room 12',
  };
  const body = new URLSearchParams({
    ...signed,
    type: 'sale',
    status: 'success',
    card: '411111****1111',
    customer_name: 'Anna Nowak',
    customer_ip: '203.0.113.219',
    date: '2026-03-02 10:11:12',
    hash: sign(formulas.callback, signed, password, { digest: 'md5', uppercasing: 'ascii' }),
  }).toString();
  const string = Object.values(signed).join('') + password;
  const candidate = { profileId: 'bench', password, digest: 'md5' } as const;

  const ours = (): void => {
    for (let turn = 0; turn < batch; turn += 1) {
      const fields = readBody(body, 'application/x-www-form-urlencoded')[0]?.fields ?? [];
      if (verifyFields(fields, candidate).verdict !== 'verified') throw new Error('the callback must verify');
    }
  };
  const reference = (): void => {
    for (let turn = 0; turn < batch; turn += 1) {
      createHash('sha1').update(createHash('md5').update(string.toUpperCase()).digest('hex')).digest('hex');
    }
  };
  const [us, bare] = await alternate([ours, reference], { rounds: 100, warmUp: 20 });
  return [atMost(`parse and verify ${batch} callbacks / bare SHA1(MD5) (ms)`, us, bare, 4)];
};
