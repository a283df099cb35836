import type { RequestParsed } from '../../../shared/contract/contract.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type AppError, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { minLifeMinutes, offeredOptions } from '../../../shared/settings/offered-options.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { unseenIn } from '../../../shared/plain-text.ts';
import { isCardInPhoneField, readPhoneNumber } from '../../../shared/phone-number.ts';
import { msg } from '../../../shared/messages/message.ts';

/** The message for a field with a card number. */
export const cardNumberRefused = (path: string): FieldProblem => ({
  path,
  message: msg('card-number.refused'),
});

/** The failure for a request whose field `path` contains a card number. */
export const cardNumberFailure = (path: string): { ok: false; error: AppError } =>
  fail('input.card-number', msg('card-number.refused'), { fields: [cardNumberRefused(path)] });

/** An option that the profile does not send would be lost silently: it is refused. */
const optionProblems = (
  options: RequestParsed<'payments.create'>['options'],
  profile: Profile,
): FieldProblem[] => {
  const offered = offeredOptions(profile);
  const { expiryMinutes } = options;
  const longest = profile.extras.sessionExpiry;
  const problems: FieldProblem[] = [];
  if (
    expiryMinutes !== undefined &&
    (expiryMinutes > longest || expiryMinutes < Math.min(minLifeMinutes, longest))
  )
    problems.push({ path: 'options.expiryMinutes', message: msg('new.expiry.not-allowed') });
  const notSent = [
    ['billingAddress', options.billingAddress !== undefined && !offered.billingAddress],
    ['customData', options.customData !== undefined && !offered.customData],
    ['requestCardToken', options.requestCardToken === true && !offered.requestCardToken],
    ['cardToken', options.cardToken !== undefined && !offered.cardToken],
    ['recurring', options.recurring === true && !offered.recurring],
  ] as const;
  for (const [name, isRefused] of notSent)
    if (isRefused) problems.push({ path: `options.${name}`, message: msg('new.option.not-sent') });
  return problems;
};

/** Reads the form: reports all invalid fields at once; nothing is sent unless all are valid. */
export const readOrderForm = (
  form: RequestParsed<'payments.create'>,
  profile: Profile,
): Result<{ amount: string; currency: string; number: string; description: string; methods: string[] }> => {
  const problems: FieldProblem[] = [];
  const currency = form.currency.trim().toUpperCase();
  const read = readAmount(form.amount, form.locale, currency);
  const wire = read.ok ? wireAmount(read.value.minor, currency, amountRuleFor(profile, currency)) : read;
  if (!wire.ok) problems.push(...(wire.error.fields ?? [{ path: 'amount', message: wire.error.message }]));
  if (form.orderNumber.trim() === '') problems.push({ path: 'orderNumber', message: msg('new.order.empty') });
  else if (unseenIn(form.orderNumber) !== null)
    problems.push({
      path: 'orderNumber',
      message: msg('new.order.spaces'),
    });
  if (form.description.trim() === '')
    problems.push({
      path: 'description',
      message: msg('new.description.empty'),
    });
  const written: [string, string][] = [
    ['orderNumber', form.orderNumber],
    ['description', form.description],
    ['customer.name', form.customer?.name ?? ''],
    ['customer.email', form.customer?.email ?? ''],
    ['amount', form.amount],
    ['options.cardToken', form.options.cardToken ?? ''],
    ...Object.entries(form.options.billingAddress ?? {}).map(([name, text = '']): [string, string] => [
      `options.billingAddress.${name}`,
      name === 'phone' && !isCardInPhoneField(text) ? '' : text,
    ]),
    ...Object.entries(form.options.customData ?? {}).map(([name, text]): [string, string] => [
      'options.customData',
      `${name} ${text}`,
    ]),
  ];
  for (const [path, text] of written) if (containsCardNumber(text)) problems.push(cardNumberRefused(path));
  const email = form.customer?.email ?? '';
  if (email !== '' && !isEmailAddress(email))
    problems.push({
      path: 'customer.email',
      message: msg('new.email.invalid'),
    });
  const phone = form.customer?.phone ?? '';
  if (phone !== '' && readPhoneNumber(phone) === null)
    problems.push(
      isCardInPhoneField(phone)
        ? cardNumberRefused('customer.phone')
        : { path: 'customer.phone', message: msg('new.phone.invalid') },
    );
  problems.push(...optionProblems(form.options, profile));
  if (problems.length > 0 || !wire.ok) {
    const cards = problems.some(({ message }) => message.key === 'card-number.refused');
    return fail(cards ? 'input.card-number' : 'input.invalid', msg('new.refused'), { fields: problems });
  }
  return ok({
    amount: wire.value,
    currency,
    number: form.orderNumber,
    description: form.description,
    methods: form.methods.length > 0 ? form.methods : profile.methods,
  });
};
