import { Copy, FileCheck, Repeat2, RotateCcw, ScanSearch, Undo2 } from 'lucide-react';
import { paymentKey, rowOf, sameKey } from '../../../shared/payments/payment-row.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { paymentContent } from '../../stores/new-payment/fill-form.ts';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { useOperation } from '../../stores/payments/operation-store.ts';
import { useRoute } from '../../stores/route-store.ts';
import { useRefusal } from '../../use-rights.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { newLinkOffer } from '../payment/link/new-link.ts';
import { moneyBack, offeredActions } from '../payment/operations/offered-actions.ts';
import type { Command } from './command.ts';

/** What can be done about the payment on the screen, which most searches from its page are for. */
export const usePaymentCommands = (): Command[] => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const route = useRoute(state => state.route);
  const key =
    route.screen === 'payment' ? { profileId: route.profileId, orderNumber: route.orderNumber } : null;
  const { value: file } = paymentQuery.use(key);
  const { lookUp, shareLink, writeDossier } = usePayment();
  const { key: offeredFor, offer, openForm } = useOperation();
  const { refusal: noRepeat, fill } = useFillForm(key?.profileId ?? '');
  const noLookUp = useRefusal({ request: 'payments.lookUp' });
  const noCreation = useRefusal({ request: 'payments.create' });
  const noOperations = useRefusal({ request: 'operations.send' });
  const noExport = useRefusal({ request: 'payments.dossier' });
  if (key === null || file === null) return [];
  const { payment, events } = file;
  const now = currentTime();
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  const actions = offer !== null && sameKey(offeredFor, key) ? offeredActions(offer) : [];
  const { action } = headOf(rowOf(payment), now);
  const back = moneyBack(actions, action?.kind === 'refund' ? action.paymentId : null);
  const all: (Command | false)[] = [
    back !== null &&
      noOperations === null && {
        id: 'payment refund',
        name: t(`operation.open.${back.kind}`),
        also: t('results.also.refund'),
        icon: Undo2,
        run: () => void openForm({ ...key, ...back }),
      },
    isLinkLive(payment, now) && {
      id: 'payment copy',
      name: t('link.copy'),
      icon: Copy,
      key: 'C',
      run: () => void shareLink('copy'),
    },
    noLookUp === null && {
      id: 'payment look-up',
      name: t('look-up.now'),
      icon: ScanSearch,
      key: 'U',
      run: () => void lookUp(),
    },
    noCreation === null &&
      newLinkOffer(payment, state, events) !== 'no' && {
        id: 'payment link',
        name: t('link.new'),
        icon: RotateCcw,
        key: 'A',
        run: () => usePayment.setState({ newLinkFor: paymentKey(payment) }),
      },
    noCreation === null &&
      noRepeat === null && {
        id: 'payment repeat',
        name: t('payment.repeat'),
        icon: Repeat2,
        run: () => fill(paymentContent(file, locale)),
      },
    noExport === null && {
      id: 'payment dossier',
      name: t('dossier.name'),
      icon: FileCheck,
      run: () => void writeDossier(),
    },
  ];
  return all.filter(command => command !== false);
};
