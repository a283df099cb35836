import { describe, expect, test } from 'vitest';
import { inspectFound } from '../../../main/callbacks/inspect.ts';
import { parameters } from '../../../main/callbacks/parameter-spec.ts';
import { interpretCallback } from '../../../main/callbacks/interpret.ts';
import { diagnoseSignature } from '../../../main/callbacks/diagnose-signature.ts';
import {
  hashOf,
  rewritings,
  type SignatureVariant,
} from '../../../main/callbacks/diagnose-signature-causes.ts';
import { documentedTypes, observedTypes } from '../../../shared/callbacks/callback-meaning.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { german, lacking, pairs } from './lacking.ts';

/** What main says in English is said in German by the window's phrasebook, all of it. */

const fieldsOf = (changes: Record<string, string> = {}): CallbackFields =>
  Object.entries({
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    order_number: 'A-1',
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Blue chair & lamp',
    type: 'sale',
    status: 'success',
    customer_ip: '192.0.2.7',
    hash: '0'.repeat(40),
    ...changes,
  });

const inspect = async (fields: CallbackFields, password: string | null = 'secret') => {
  const candidates = password === null ? [] : [{ profileId: 'shop', password, digest: 'md5' as const }];
  const { callbacks } = await inspectFound([{ fields, form: 'urlencoded' }], { candidates });
  return callbacks.flatMap(one => [
    one.explanation,
    one.meaning.title,
    one.meaning.text,
    one.nearMiss?.sentence,
    ...one.problems.map(({ message }) => message),
    ...one.fields.flatMap(({ description, problem }) => [description, problem]),
  ]);
};

describe('the German phrasebook', () => {
  test('says every meaning of type and status, allowed or not', async () => {
    const types = [...documentedTypes, ...observedTypes, '', 'odd'];
    const said: (string | null | undefined)[] = [];
    for (const type of types)
      for (const status of ['success', 'fail', 'waiting', 'undefined', '', 'odd'])
        for (const more of [{}, { order_status: 'pending' }, { order_status: 'decline', reason: 'No' }]) {
          const fields = fieldsOf({ type, status, ...more });
          const { title, text } = interpretCallback(fields);
          said.push(title, text, ...(await inspect(fields)));
        }
    expect(lacking(said)).toEqual([]);
  });

  test('says what the interface says of every parameter, and what can be wrong with its value', async () => {
    expect(lacking(parameters.map(({ description }) => description))).toEqual([]);
    const said: (string | null | undefined)[] = [];
    for (const { name } of parameters)
      for (const value of [
        '',
        'null',
        'x',
        'eur',
        '4111111111111111',
        '13/2038',
        '2026-02-31 10:00:00',
        '\uFFFD',
      ])
        said.push(...(await inspect([...fieldsOf().filter(([field]) => field !== name), [name, value]])));
    said.push(
      ...(await inspect([
        ['order_number', 'A-1'],
        ['order_number', 'A-2'],
        ['hash', 'x'],
        ['status', 'fail'],
      ])),
    );
    said.push(...(await inspect(fieldsOf().filter(([name]) => name !== 'hash'))));
    said.push(...(await inspect(fieldsOf(), null)));
    said.push(
      ...(await inspect([
        ['payment_id', '1'],
        ['trans_id', '2'],
        ['order_id', 'A-1'],
        ['hash', 'x'],
      ])),
    );
    expect(lacking(said)).toEqual([]);
  });

  test('says every near miss, alone and in pairs', () => {
    const base: SignatureVariant = {
      id: '6f1d2c3b-0000-4000-8000-000000000001',
      number: ' #0042 a+b ',
      amount: '1000.10',
      currency: 'Eur',
      description: ' Größe &amp; "Maß" a%20b\r\nc ',
      password: ' p&amp;w ',
      casing: 'ascii',
      scheme: 'md5',
      charset: 'utf8',
      layout: 'documented',
    };
    const said: (string | undefined)[] = [];
    const causes = new Set<string>();
    for (const [index, first] of rewritings.entries())
      for (const second of [null, rewritings[(index + 7) % rewritings.length]]) {
        const one = first.apply(base);
        const both = one && second ? second.apply(one) : one;
        if (!both) continue;
        const fields: CallbackFields = [
          ['id', base.id],
          ['order_number', base.number],
          ['order_amount', base.amount],
          ['order_currency', base.currency],
          ['order_description', base.description],
          ['hash', hashOf(both).hash],
        ];
        const near = diagnoseSignature(fields, [
          { profileId: 'shop', password: base.password, digest: 'md5' },
        ]).nearMiss;
        for (const cause of near?.causes ?? []) causes.add(cause);
        said.push(near?.sentence);
      }
    expect(causes.size).toBeGreaterThan(30);
    expect(lacking(said)).toEqual([]);
  });

  test('says several sentences one after the other, and quotes what is quoted', () => {
    expect(german('An amount cannot have a sign. Enter only digits, such as 12.50.')).toBe(
      'Ein Betrag darf kein Vorzeichen haben. Geben Sie nur Ziffern ein, zum Beispiel 12.50.',
    );
    expect(
      german(
        'The signature fits if the amount is `100.00` instead of `100`. Something between the provider and this computer rewrote it.',
      ),
    ).toBe(
      'Die Signatur passt, wenn der Betrag `100.00` statt `100` ist. Etwas zwischen dem Anbieter und diesem PC hat den Wert umgeschrieben.',
    );
    expect(german('No message has this text.')).toBeNull();
  });

  test('has the same holes on both sides', () => {
    const holes = (text = ''): string[] => (text.match(/\{\+?\w+\}/g) ?? []).toSorted();
    for (const [source, target] of pairs)
      expect({ source, holes: holes(target) }).toEqual({ source, holes: holes(source) });
  });
});
