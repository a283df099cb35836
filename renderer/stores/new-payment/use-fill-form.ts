import { useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useActiveProfile, useAppState } from '../app-state-store.ts';
import { go } from '../route-store.ts';
import { fillFrom, mayFill, paymentContent, type FormContent } from './fill-form.ts';

/** Fills the form of the active profile with details from a payment's profile, and opens it. Nothing is sent. */
export const useFillForm = (
  profileId: string,
): {
  /** Why the form must not be filled; null if it may. */
  refusal: string | null;
  isRepeating: boolean;
  fill: (content: FormContent) => void;
  /** Fills the form with a payment's amount, description, customer and methods; the error if it cannot be read. */
  repeat: (payment: PaymentKey) => Promise<AppError | null>;
} => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profile = useActiveProfile();
  const kind = useAppState(
    ({ appState }) => appState?.profiles.find(({ id }) => id === profileId)?.kind ?? null,
  );
  const [isRepeating, setRepeating] = useState(false);
  const isAllowed = profile !== null && mayFill(kind, profile.kind);
  const fill = (content: FormContent): void => {
    if (!isAllowed) return;
    fillFrom(profile, content);
    go({ screen: 'new' });
  };
  return {
    refusal: isAllowed ? null : t('fill-form.not-live'),
    isRepeating,
    fill,
    repeat: async payment => {
      setRepeating(true);
      const read = await request('payments.read', payment);
      setRepeating(false);
      if (!read.ok) return read.error;
      fill(paymentContent(read.value, locale));
      return null;
    },
  };
};
