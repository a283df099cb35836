import { useEffect, useState } from 'react';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import { request } from '../../ipc-client.ts';

export type KnownCustomer = NonNullable<RequestOutput<'payments.knownCustomer'>['customer']>;

/** Pause in typing before the question. */
const delayMs = 250;

/** What the payment log knows of the typed customer; null while it knows nothing. */
export const useKnownCustomer = (
  profileId: string | null,
  name: string,
  email: string,
  phone: string,
): KnownCustomer | null => {
  const [found, setFound] = useState<{ key: string; customer: KnownCustomer | null } | null>(null);
  const key = JSON.stringify([profileId, name.trim(), email.trim(), phone.trim()]);
  useEffect(() => {
    const [profileId, name, email, phone] = JSON.parse(key) as [string | null, string, string, string];
    if (profileId === null || name + email + phone === '') return undefined;
    let isCurrent = true;
    const timer = window.setTimeout(() => {
      void request('payments.knownCustomer', { profileId, name, email, phone }).then(answer => {
        if (isCurrent && answer.ok) setFound({ key, customer: answer.value.customer });
      });
    }, delayMs);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [key]);
  return found?.key === key ? found.customer : null;
};
