import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, codes, key, openShop, order, password, problems, sign, type Shop } from './shop.ts';

/** Refunds that the shop requests (assumption): accepted at once, decided by a callback. */

const refund = (shop: Shop, paymentId: string, amount: string, changes: Record<string, unknown> = {}) =>
  shop.operate('refund', { payment_id: paymentId, amount, ...changes }, [paymentId, amount]);
const refunds = (shop: Shop) => shop.received.items.filter(({ fields }) => fields.get('type') === 'refund');
const decided = (shop: Shop, count: number) => shop.received.until(() => refunds(shop).length >= count);

describe('a refund', () => {
  it('a refund of the whole is accepted, then succeeds with the order’s amount, and the payment is refunded', async () => {
    const shop = await openShop();
    const id = await shop.pay();
    const answer = await refund(shop, id, '10.00');
    expect([answer.status, answer.json]).toEqual([200, { payment_id: id, result: 'accepted' }]);
    await decided(shop, 1);
    const [{ event, holds, fields } = { event: '', holds: false, fields: new Map<string, string>() }] =
      refunds(shop);
    expect([event, holds, fields.get('id'), fields.get('order_amount'), fields.has('order_status')]).toEqual([
      'refund/success',
      true,
      id,
      '10.00',
      false,
    ]);
    expect(await shop.statusOf(id)).toBe('refund');
    expect(shop.sandbox.operations()).toMatchObject([
      { operation: 'refund', paymentId: id, amount: '10.00' },
    ]);
  });

  it('a refund of a part leaves the payment settled, and the rest can be refunded afterwards, but no more', async () => {
    const shop = await openShop();
    const id = await shop.pay();
    await refund(shop, id, '4.00');
    await decided(shop, 1);
    expect(await shop.statusOf(id)).toBe('settled');
    expect(codes(await refund(shop, id, '6.01'))).toEqual([208_006]);
    await refund(shop, id, '6.00');
    await decided(shop, 2);
    expect(await shop.statusOf(id)).toBe('refund');
    expect(codes(await refund(shop, id, '0.01'))).toEqual([208_005]);
    expect(shop.sandbox.operations()).toHaveLength(2);
  });

  it.each([
    ['10.01', 208_006],
    ['0.00', 100_000],
    ['10', 100_000],
    ['10.000', 100_000],
    ['01.00', 100_000],
    ['-1.00', 100_000],
    ['1e1', 100_000],
    [' 1.00', 100_000],
  ])('a refund of %j of 10.00 is refused with %i', async (amount, code) => {
    const shop = await openShop();
    const answer = await refund(shop, await shop.pay(), amount);
    expect([answer.status, codes(answer)]).toEqual([400, [code]]);
    expect(shop.sandbox.operations()).toEqual([]);
  });

  it('a refund is written with the digits of its order, also in a currency with other digits', async () => {
    const shop = await openShop();
    const yen = await shop.pay(order({ number: 'yen', currency: 'JPY', amount: '500' }));
    expect(codes(await refund(shop, yen, '100.00'))).toEqual([100_000]);
    expect((await refund(shop, yen, '100')).status).toBe(200);
    const dinar = await shop.pay(order({ number: 'dinar', currency: 'KWD', amount: '5.000' }));
    expect((await refund(shop, dinar, '5.000')).status).toBe(200);
  });

  it.each([
    ['without an amount', { amount: undefined }, ['amount: This value should not be blank.']],
    ['with a number as its amount', { amount: 10 }, ['amount: This value must be a string.']],
    ['without a payment', { payment_id: undefined }, ['payment_id: This value should not be blank.']],
    ['with a wrong hash', { hash: sign(['x']) }, ['hash: Hash is not valid.']],
    ['with the hash of another amount', { amount: '9.00' }, ['hash: Hash is not valid.']],
    ['with an unknown key', { merchant_key: 'another' }, ['hash: Hash is not valid.']],
  ])('a refund %s is refused', async (_, changes, texts) => {
    const shop = await openShop();
    const answer = await refund(shop, await shop.pay(), '10.00', changes);
    expect([answer.status, problems(answer)]).toEqual([400, texts]);
    expect(shop.sandbox.operations()).toEqual([]);
  });

  it('a refund of an unknown, a declined or a pending payment is refused', async () => {
    const shop = await openShop();
    expect(codes(await refund(shop, 'a3b1f6d2', '1.00'))).toEqual([208_001]);
    for (const scenario of ['decline', 'wait-pay', '3ds-pay', 'cancel']) {
      const id = await shop.pay(order({ number: scenario }), {}, scenario);
      expect(codes(await refund(shop, id, '1.00'))).toEqual([208_005]);
    }
  });

  it('a refund is for POST alone, with or without a trailing slash', async () => {
    const shop = await openShop();
    const id = await shop.pay();
    const path = `${shop.sandbox.baseUrl}/api/v1/payment/refund`;
    const got = await ask(path, 'GET');
    expect([got.status, got.headers['allow']]).toEqual([405, 'POST']);
    expect((await ask(`${path}s`, 'POST', {})).status).toBe(404);
    const fields = { merchant_key: key, payment_id: id, amount: '1.00' };
    const hash = sign([id, '1.00', password]);
    expect((await ask(`${path}/`, 'POST', { ...fields, hash })).status).toBe(200);
  });

  it('a refund of an account with SHA-256 is verified with it only', async () => {
    const shop = await openShop({ digest: 'sha256' });
    const { number, amount, currency, description } = order();
    const hash = sign([number, amount, currency, description, password], 'sha256');
    await shop.play(await shop.raise(order(), { hash }), 'pay');
    const sale = (await shop.received.until(items => items.some(({ event }) => event === 'sale/success'))).at(
      -1,
    );
    const id = sale?.fields.get('id') ?? '';
    expect(problems(await refund(shop, id, '1.00', { hash: sign([id, '1.00', password]) }))).toEqual([
      'hash: Hash is not valid.',
    ]);
    expect((await refund(shop, id, '1.00')).status).toBe(200);
  });
});

describe('the outcome of a refund', () => {
  it.each([
    ['fail', ['refund/fail'], 'settled'],
    ['wait-success', ['refund/waiting', 'refund/success'], 'refund'],
    ['wait-fail', ['refund/waiting', 'refund/fail'], 'settled'],
  ] as const)('the outcome of a refund is %s if that is chosen', async (refundOutcome, events, status) => {
    const shop = await openShop({ choices: { refundOutcome } });
    const id = await shop.pay();
    expect((await refund(shop, id, '10.00')).json).toEqual({ payment_id: id, result: 'accepted' });
    await decided(shop, events.length);
    expect(refunds(shop).map(({ event }) => event)).toEqual(events);
    expect(refunds(shop).some(({ fields }) => fields.has('reason'))).toBe(refundOutcome.endsWith('fail'));
    expect(await shop.statusOf(id)).toBe(status);
  });

  it('the outcome of a refund comes after the delay', async () => {
    const shop = await openShop({ operationDelayMs: 150 });
    const id = await shop.pay();
    await refund(shop, id, '10.00');
    expect(await shop.statusOf(id)).toBe('settled');
    await decided(shop, 1);
    expect(await shop.statusOf(id)).toBe('refund');
  });

  it('the outcome of a refund can carry the refunded amount, and the status of the order', async () => {
    const shop = await openShop({ choices: { refundAmount: 'refunded', orderStatus: 'sent' } });
    const id = await shop.pay();
    await refund(shop, id, '4.00');
    await decided(shop, 1);
    shop.sandbox.setChoices({ refundOutcome: 'fail' });
    await refund(shop, id, '6.00');
    await decided(shop, 2);
    shop.sandbox.setChoices({ refundOutcome: 'success' });
    await refund(shop, id, '6.00');
    await decided(shop, 3);
    const seen = refunds(shop).map(({ fields, event, holds }) => [
      event,
      fields.get('order_amount'),
      fields.get('order_status'),
      holds,
    ]);
    // The documented sample of a failed refund says decline; the payment stays settled.
    expect(seen).toEqual([
      ['refund/success', '4.00', 'settled', true],
      ['refund/fail', '6.00', 'decline', true],
      ['refund/success', '6.00', 'refund', true],
    ]);
  });
});

describe('a second refund while one is in progress', () => {
  it('a second refund is accepted and pays twice', async () => {
    const shop = await openShop({ operationDelayMs: 50 });
    const id = await shop.pay();
    const answers = await Promise.all([refund(shop, id, '4.00'), refund(shop, id, '4.00')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await decided(shop, 2);
    expect(refunds(shop).map(({ event }) => event)).toEqual(['refund/success', 'refund/success']);
    expect(shop.sandbox.operations().map(({ amount }) => amount)).toEqual(['4.00', '4.00']);
    expect(codes(await refund(shop, id, '2.01'))).toEqual([208_006]);
  });

  it('a second refund fails if both together are more than the payment', async () => {
    const shop = await openShop({ operationDelayMs: 50 });
    const id = await shop.pay();
    await Promise.all([refund(shop, id, '10.00'), refund(shop, id, '10.00')]);
    await decided(shop, 2);
    expect(refunds(shop).map(({ event }) => event)).toEqual(['refund/success', 'refund/fail']);
    expect(await shop.statusOf(id)).toBe('refund');
  });

  it('a second refund is refused as a duplicate if that is chosen, until the callback of the first one', async () => {
    const shop = await openShop({ operationDelayMs: 50, choices: { duplicates: 'refused' } });
    const id = await shop.pay();
    await refund(shop, id, '4.00');
    const second = await refund(shop, id, '4.00');
    expect([second.status, codes(second), problems(second)]).toEqual([400, [400], ['Duplicate request']]);
    await decided(shop, 1);
    expect((await refund(shop, id, '4.00')).status).toBe(200);
    expect(shop.sandbox.operations()).toHaveLength(2);
  });
});

it('all refunds of a payment together are never more than the payment', { timeout: 60_000 }, async () => {
  const shop = await openShop();
  const cents = fc.integer({ min: 1, max: 1200 });
  let payments = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(cents, { minLength: 1, maxLength: 6 }), async amounts => {
      payments += 1;
      const id = await shop.pay(order({ number: `p-${payments}` }));
      let left = 1000;
      for (const amount of amounts) {
        const before = refunds(shop).length;
        const answer = await refund(shop, id, (amount / 100).toFixed(2));
        expect(answer.status).toBe(amount <= left ? 200 : 400);
        if (amount > left) continue;
        await decided(shop, before + 1);
        left -= amount;
        expect(await shop.statusOf(id)).toBe(left === 0 ? 'refund' : 'settled');
      }
    }),
    { numRuns: 25 },
  );
});

describe('a fault of the gateway', () => {
  it.each(['drop', 'garbage', 'other-shape'] as const)(
    'the fault %s hides the answer of a refund that is made',
    async fault => {
      const shop = await openShop();
      const id = await shop.pay();
      shop.sandbox.setFaults([fault]);
      const answer = await refund(shop, id, '10.00').catch(() => null);
      expect(answer?.json).not.toMatchObject({ result: 'accepted' });
      expect(answer === null).toBe(fault === 'drop');
      await decided(shop, 1);
      shop.sandbox.setFaults([]);
      expect(await shop.statusOf(id)).toBe('refund');
      expect(shop.sandbox.operations()).toHaveLength(1);
    },
  );

  it('the fault delay answers after the callback of the refund', async () => {
    const shop = await openShop({ faultDelayMs: 200 });
    const id = await shop.pay();
    shop.sandbox.setFaults(['delay']);
    let isAnswered = false;
    const answer = refund(shop, id, '10.00').then(answered => {
      isAnswered = true;
      return answered;
    });
    await decided(shop, 1);
    expect(isAnswered).toBe(false);
    expect((await answer).status).toBe(200);
  });

  it.each([
    ['http-500', 500],
    ['http-400', 400],
  ] as const)('the fault %s refunds nothing', async (fault, status) => {
    const shop = await openShop();
    const id = await shop.pay();
    shop.sandbox.setFaults([fault]);
    expect((await refund(shop, id, '10.00')).status).toBe(status);
    shop.sandbox.setFaults([]);
    expect([await shop.statusOf(id), shop.sandbox.operations()]).toEqual(['settled', []]);
    // A later refund is decided, and the first one is not.
    await refund(shop, id, '4.00');
    await decided(shop, 1);
    expect([refunds(shop).length, shop.sandbox.operations().length]).toEqual([1, 1]);
  });
});
