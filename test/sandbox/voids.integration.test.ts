import { describe, expect, it } from 'vitest';
import { ask, codes, key, openShop, order, password, problems, sign, type Shop } from './shop.ts';

/** Voids, captures and lists of attempts that the shop requests (assumptions). */

const noon = Date.parse('2026-03-02T12:00:00Z');
const voidOf = (shop: Shop, paymentId: string) =>
  shop.operate('void', { payment_id: paymentId }, [paymentId]);
const capture = (shop: Shop, paymentId: string, amount: string) =>
  shop.operate('capture', { payment_id: paymentId, amount }, [paymentId, amount]);
const refund = (shop: Shop, paymentId: string, amount: string) =>
  shop.operate('refund', { payment_id: paymentId, amount }, [paymentId, amount]);
const callbacks = (shop: Shop, type: string) =>
  shop.received.items.filter(({ fields }) => fields.get('type') === type);
const events = async (shop: Shop, type: string, count: number): Promise<string[]> => {
  await shop.received.until(() => callbacks(shop, type).length >= count);
  return callbacks(shop, type).map(({ event }) => event);
};

describe('a void', () => {
  it.each([
    ['example', 'success', { status: 'SUCCESS', payment_status: 'void' }],
    ['example', 'fail', { status: 'FAIL', payment_status: 'settled', reason: 'Declined by processing' }],
    ['example', 'wait-success', { status: 'UNDEFINED', payment_status: 'settled' }],
    ['table', 'success', { status: 'VOID' }],
    ['table', 'fail', { status: 'SETTLED', reason: 'Declined by processing' }],
    ['table', 'wait-fail', { status: 'UNDEFINED' }],
  ] as const)(
    'a void of the shape %s with the outcome %s is answered with %j',
    async (voidAnswer, voidOutcome, json) => {
      const shop = await openShop({ clock: () => noon, choices: { voidAnswer, voidOutcome } });
      const id = await shop.pay();
      const answer = await voidOf(shop, id);
      expect([answer.status, answer.json]).toEqual([
        200,
        { ...json, payment_id: id, date: '2026-03-02 12:00:00', order: order() },
      ]);
    },
  );

  it.each([
    ['success', 'void', 'SUCCESS'],
    ['fail', 'settled', 'FAIL'],
    ['wait-success', 'settled', 'UNDEFINED'],
  ] as const)(
    'a void of the shape trans-status with the outcome %s says %s and %s',
    async (voidOutcome, status, result) => {
      const shop = await openShop({
        clock: () => noon,
        choices: { voidAnswer: 'trans-status', voidOutcome },
      });
      const id = await shop.pay();
      expect((await voidOf(shop, id)).json).toEqual({
        payment_id: id,
        date: '2026-03-02 12:00:00',
        status,
        trans_status: result,
      });
    },
  );

  it.each([
    ['success', ['void/success'], 'reversal'],
    ['fail', ['void/fail'], 'settled'],
    ['wait-success', ['void/waiting', 'void/success'], 'reversal'],
    ['wait-fail', ['void/waiting', 'void/fail'], 'settled'],
  ] as const)(
    'a void with the outcome %s sends %j and leaves the status %s',
    async (voidOutcome, sent, status) => {
      const shop = await openShop({ clock: () => noon, choices: { voidOutcome } });
      const id = await shop.pay();
      await voidOf(shop, id);
      expect(await events(shop, 'void', sent.length)).toEqual(sent);
      expect(callbacks(shop, 'void').every(({ holds }) => holds)).toBe(true);
      expect(await shop.statusOf(id)).toBe(status);
      expect(shop.sandbox.operations()).toEqual([
        { operation: 'void', paymentId: id, amount: null, at: noon },
      ]);
    },
  );

  it('a void can leave the status void, which its callback repeats if that is chosen', async () => {
    const shop = await openShop({
      clock: () => noon,
      choices: { voidedStatus: 'void', orderStatus: 'sent' },
    });
    const id = await shop.pay();
    await voidOf(shop, id);
    await events(shop, 'void', 1);
    expect(callbacks(shop, 'void')[0]?.fields.get('order_status')).toBe('void');
    expect(await shop.statusOf(id)).toBe('void');
    expect(problems(await voidOf(shop, id))).toEqual([
      'payment_id: Only a settled or an authorised payment can be voided.',
    ]);
  });

  it('a void is possible until midnight in UTC on the day of the settlement', async () => {
    let now = Date.parse('2026-03-01T23:50:00Z');
    const shop = await openShop({ clock: () => now });
    const link = await shop.raise(order({ number: 'late' }));
    const first = await shop.pay(order({ number: 'first' }));
    const second = await shop.pay(order({ number: 'second' }));
    now = Date.parse('2026-03-01T23:59:59.999Z');
    expect((await voidOf(shop, first)).status).toBe(200);
    now += 1;
    const refused = await voidOf(shop, second);
    expect([refused.status, problems(refused)]).toEqual([
      400,
      ['payment_id: A payment can be voided on the day of its settlement only.'],
    ]);
    // A link of yesterday that was paid today.
    await shop.play(link, 'pay');
    const { payment_id: id } = (await shop.byOrder('late')).json as { payment_id: string };
    expect((await voidOf(shop, id)).status).toBe(200);
  });

  it('a void of a payment that was refunded in part, of an unknown or of a declined one is refused', async () => {
    const shop = await openShop({ clock: () => noon });
    const id = await shop.pay();
    await refund(shop, id, '1.00');
    await events(shop, 'refund', 1);
    expect(codes(await voidOf(shop, id))).toEqual([208_009]);
    expect(codes(await voidOf(shop, 'unknown'))).toEqual([208_001]);
    const declined = await shop.pay(order({ number: 'declined' }), {}, 'decline');
    expect(codes(await voidOf(shop, declined))).toEqual([100_000]);
    const wrong = await shop.operate('void', { payment_id: id }, ['another']);
    expect(problems(wrong)).toEqual(['hash: Hash is not valid.']);
  });

  it('a void lets a refund that is in progress fail', async () => {
    const shop = await openShop({ clock: () => noon, operationDelayMs: 50 });
    const id = await shop.pay();
    await refund(shop, id, '10.00');
    await voidOf(shop, id);
    expect(await events(shop, 'refund', 1)).toEqual(['refund/fail']);
    expect(await shop.statusOf(id)).toBe('reversal');
  });

  it('a void is made although the gateway drops the connection', async () => {
    const shop = await openShop({ clock: () => noon });
    const id = await shop.pay();
    shop.sandbox.setFaults(['drop']);
    await expect(voidOf(shop, id)).rejects.toThrow();
    shop.sandbox.setFaults([]);
    expect(await shop.statusOf(id)).toBe('reversal');
  });
});

describe('a session that authorises only', () => {
  const authorise = (shop: Shop, of = order(), scenario = 'pay') => shop.pay(of, { auth: 'Y' }, scenario);

  it('a session that authorises only is pending after the payment, as its sale callback says, until a capture settles it', async () => {
    const shop = await openShop({ clock: () => noon, choices: { orderStatus: 'sent' } });
    const id = await authorise(shop);
    expect(await events(shop, 'sale', 1)).toEqual(['sale/success']);
    expect(callbacks(shop, 'sale')[0]?.fields.get('order_status')).toBe('pending');
    expect(await shop.statusOf(id)).toBe('pending');
    const answer = await capture(shop, id, '10.00');
    expect([answer.status, answer.json]).toEqual([
      200,
      { payment_id: id, status: 'settled', trans_status: 'SUCCESS', date: '2026-03-02 12:00:00' },
    ]);
    expect(await events(shop, 'capture', 1)).toEqual(['capture/success']);
    expect(callbacks(shop, 'capture')[0]?.fields.get('order_status')).toBe('settled');
    expect(shop.events()).toEqual(['redirect/success', 'sale/success', 'capture/success']);
    expect(await shop.statusOf(id)).toBe('settled');
    expect(codes(await capture(shop, id, '10.00'))).toEqual([208_003]);
    expect(shop.sandbox.operations()).toEqual([
      { operation: 'capture', paymentId: id, amount: '10.00', at: noon },
    ]);
  });

  it('a session that authorises only can be captured in part, and refunded up to that part', async () => {
    const shop = await openShop();
    const id = await authorise(shop);
    expect(codes(await capture(shop, id, '10.01'))).toEqual([208_004]);
    expect(codes(await capture(shop, id, '0.00'))).toEqual([100_000]);
    expect((await capture(shop, id, '6.00')).status).toBe(200);
    expect(codes(await refund(shop, id, '6.01'))).toEqual([208_006]);
    await refund(shop, id, '6.00');
    await events(shop, 'refund', 1);
    expect(await shop.statusOf(id)).toBe('refund');
  });

  it.each([
    ['fail', 'FAIL', ['capture/fail'], 'pending'],
    ['wait-success', 'UNDEFINED', ['capture/waiting', 'capture/success'], 'settled'],
  ] as const)(
    'a capture with the outcome %s is answered with %s',
    async (captureOutcome, result, sent, status) => {
      const shop = await openShop({ choices: { captureOutcome } });
      const id = await authorise(shop);
      expect((await capture(shop, id, '10.00')).json).toMatchObject({
        status: 'pending',
        trans_status: result,
      });
      expect(await events(shop, 'capture', sent.length)).toEqual(sent);
      expect(await shop.statusOf(id)).toBe(status);
    },
  );

  it('a session that authorises only is released by a void, also days later, and pays nothing afterwards', async () => {
    let now = noon;
    const shop = await openShop({ clock: () => now });
    const link = await shop.raise(order(), { auth: 'Y' });
    await shop.play(link, '3ds-pay');
    await shop.play(link, 'continue');
    expect((await ask(link, 'GET')).status).toBe(410);
    const { payment_id: id } = (await shop.byOrder('order-1234')).json as { payment_id: string };
    now += 3 * 24 * 3_600_000;
    expect((await voidOf(shop, id)).json).toMatchObject({ status: 'SUCCESS' });
    expect(await shop.statusOf(id)).toBe('reversal');
    expect(codes(await capture(shop, id, '10.00'))).toEqual([208_003]);
    expect(codes(await refund(shop, id, '10.00'))).toEqual([208_005]);
  });

  it('a session that authorises only is declined, and refuses another value of auth', async () => {
    const shop = await openShop();
    const id = await authorise(shop, order(), 'decline');
    expect(codes(await capture(shop, id, '10.00'))).toEqual([208_003]);
    await expect(shop.raise(order(), { auth: 'yes' })).rejects.toThrow('auth');
  });
});

describe('a status request with a size', () => {
  const list = (shop: Shop, number: string, size: unknown) =>
    ask(shop.status, 'POST', { merchant_key: key, order_id: number, size, hash: sign([number, password]) });

  it('a status request with a size lists the newest attempts of an order, the newest one first', async () => {
    let now = noon;
    const shop = await openShop({ clock: () => now });
    const link = await shop.raise();
    await shop.play(link, 'decline');
    now += 1_000;
    await shop.play(link, 'decline');
    now += 1_000;
    await shop.play(link, 'pay');
    const statuses = async (size: string) =>
      ((await list(shop, 'order-1234', size)).json as { status: string }[]).map(({ status }) => status);
    expect(await statuses('100')).toEqual(['settled', 'decline', 'decline']);
    expect(await statuses('2')).toEqual(['settled', 'decline']);
    const [newest] = (await list(shop, 'order-1234', '1')).json as unknown[];
    expect(newest).toEqual((await shop.byOrder('order-1234')).json);
  });

  it.each(['0', '101', '1.5', '-1', '', 7])('a status request with a size of %j is refused', async size => {
    const shop = await openShop();
    await shop.raise();
    const answer = await list(shop, 'order-1234', size);
    expect([answer.status, problems(answer)[0]?.split(':')[0]]).toEqual([400, 'size']);
  });
});
