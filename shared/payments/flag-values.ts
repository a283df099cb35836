import { quoted, type Message, type MessageKey } from '../messages/message.ts';
import { forEachKind } from '../operations/operation-kinds.ts';
import type { Flag } from './payment.ts';
import { stateNamed } from './payment-kinds.ts';

/** One line of a flag: its label and its value. `isCode`: the value is shown as the gateway sent it. */
export type FlagValue = { label: Message; value: Message; isCode: boolean };

/** The labels of the two sides, by kind of flag. */
const sides = ({ kind, values }: Flag): [ours: MessageKey, theirs: MessageKey] => {
  switch (kind) {
    case 'sources-disagree':
      if (values['field'] === 'order-number') return ['flag-value.order', 'flag-value.answer'];
      return [
        'flag-value.callback',
        values['field'] === 'callback' ? 'flag-value.other-callback' : 'flag-value.look-up',
      ];
    case 'source-took-back':
      return ['flag-value.before', 'flag-value.now'];
    case 'changed-between-deliveries':
      return ['flag-value.first', 'flag-value.then'];
    case 'order-status-disagrees':
      return ['flag-value.callback', 'flag-value.reported'];
    case 'refunds-differ':
      return ['flag-value.refunds-here', 'flag-value.whole'];
    case 'outside-interface':
    case 'contradicts-interface':
      return ['flag-value.asked-for', 'flag-value.received'];
    default:
      return ['flag-value.asked-for', 'flag-value.reported'];
  }
};

const others: Readonly<Record<string, MessageKey>> = {
  type: 'flag-value.type',
  status: 'flag-value.status',
  deliveries: 'flag-value.deliveries',
  paymentId: 'flag-value.payment-id',
  paymentIds: 'flag-value.payment-ids',
  times: 'flag-value.links',
  amount: 'flag-value.amount',
};
const sources: Readonly<Record<string, MessageKey>> = {
  callback: 'flag-value.callback',
  'callback, not verified': 'flag-value.callback.not-verified',
  'look-up': 'flag-value.look-up',
};
const operations: Readonly<Record<string, MessageKey>> = forEachKind(
  (kind): MessageKey => `operation.${kind}`,
);
const verdicts: Readonly<Record<string, MessageKey>> = {
  invalid: 'verification.invalid',
  'no-hash': 'verification.no-hash',
  'no-password': 'verification.no-password',
};
/** Flags whose field is a parameter that the gateway sent; for the others the flag's name states it. */
const namesParameter = [
  'token-missing',
  'changed-between-deliveries',
  'outside-interface',
  'contradicts-interface',
];

/** A flag's values in words: internal names of fields or states are translated. */
export const flagValues = (flag: Flag): FlagValue[] => {
  const [ours, theirs] = sides(flag);
  const lines: FlagValue[] = [];
  const addWords = (label: MessageKey, value: MessageKey): void => {
    lines.push({ label: { key: label }, value: { key: value }, isCode: false });
  };
  const addCode = (label: MessageKey, value: string): void => {
    lines.push({ label: { key: label }, value: quoted(value), isCode: true });
  };
  const addSide = (key: MessageKey, value: string): void => {
    const state = flag.kind === 'sources-disagree' ? stateNamed(value) : null;
    // Of one source alone: whether another one confirms it is the payment's state.
    if (state === 'paid-unconfirmed') addWords(key, 'state.paid-confirmed');
    else if (state !== null) addWords(key, `state.${state}`);
    else if (value === 'more than one value') addWords(key, 'flag-value.repeated');
    else addCode(key, value === '' ? '–' : value);
  };
  for (const [name, value] of Object.entries(flag.values)) {
    const other = others[name];
    const source = name === 'source' ? sources[value] : undefined;
    const operation = name === 'operation' ? operations[value] : undefined;
    const verdict = name === 'verdict' ? verdicts[value] : undefined;
    if (name === 'ours') addSide(ours, value);
    else if (name === 'theirs') addSide(theirs, value);
    else if (name === 'field') {
      if (namesParameter.includes(flag.kind)) addCode('flag-value.field', value);
    } else if (operation !== undefined) addWords('flag-value.operation', operation);
    else if (source !== undefined) addWords('flag-value.source', source);
    else if (verdict !== undefined) addWords('flag-value.signature', verdict);
    else if (other !== undefined) addCode(other, value);
  }
  return lines;
};
