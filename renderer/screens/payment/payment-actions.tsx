import { useState, type Ref } from 'react';
import {
  Ban,
  ClipboardPen,
  Eraser,
  FileCheck,
  HandCoins,
  Link2,
  Printer,
  Repeat2,
  RotateCcw,
  ScanSearch,
  Undo2,
  Unlink,
} from 'lucide-react';
import type { Event } from '../../../shared/payments/evidence.ts';
import { paymentAddress, readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import type { OfferedKind } from '../../../shared/operations/operation-kinds.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { ActionMenu, type Action } from '../../components/controls/action-menu.tsx';
import { Button, SingleKey } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/notes.tsx';
import { Checked } from '../../components/display/values.tsx';
import { useCopy } from '../../hooks/use-copy.ts';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { useHead } from '../../components/display/status-badge.tsx';
import { useRefusal } from '../../use-rights.ts';
import { paymentContent } from '../../stores/new-payment/fill-form.ts';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { useOperation } from '../../stores/payments/operation-store.ts';
import { EraseQuestion } from './erase-question.tsx';
import { moneyBack, type OfferedAction } from './operations/offered-actions.ts';
import { beginsSeries } from './series/series-rows.ts';

const operationIcons = { refund: Undo2, void: Ban, capture: HandCoins, retry: RotateCcw } as const;

const openOperation = (
  { profileId, orderNumber }: Payment,
  target: { kind: OfferedKind; paymentId: string } | null,
  filled: { reason?: 'paid-twice' } = {},
): void => {
  if (target !== null) void useOperation.getState().openForm({ profileId, orderNumber, ...target }, filled);
};

const firstOf = ({ kind, payments: [first] }: OfferedAction) =>
  first === undefined ? null : { kind, paymentId: first.paymentId };

/** The actions of a payment: a check, a new link and the first operation in view, the others in a menu, the destructive one last. */
export const PaymentActions = ({
  payment,
  events,
  offer,
  onCreateNewLink,
  newLinkButton,
  actions,
  onRecord,
  onWithdraw,
  onPrintConfirmation,
}: {
  payment: Payment;
  events: readonly Event[];
  offer: 'no' | 'ask' | 'yes';
  onCreateNewLink: () => void;
  newLinkButton: Ref<HTMLButtonElement>;
  /** The operations after the payment, first choice first. */
  actions: readonly OfferedAction[];
  onRecord: () => void;
  /** Null if there is no link to withdraw. */
  onWithdraw: (() => void) | null;
  onPrintConfirmation: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const head = useHead(rowOf(payment));
  const twice = head.action?.kind === 'refund' ? head.action.paymentId : null;
  // While one has no result, another one takes a second thought.
  const hasOpen = openMoney(payment).length > 0 && twice === null;
  const back = hasOpen ? null : moneyBack(actions, twice);
  const other = hasOpen
    ? null
    : (actions.find(({ kind, payments }) => kind !== 'void' && kind !== 'refund' && payments.length > 0) ??
      null);
  const hasRefund = actions.some(({ kind }) => kind === 'refund');
  const shown = other ?? (hasRefund && back !== null ? { kind: 'refund' as const } : back);
  const OperationIcon = shown === null ? null : operationIcons[shown.kind];
  const { locale } = useLocaleChoice();
  const { busy, lookUp, erase, writeDossier, dossier } = usePayment();
  const { refusal: noRepeat, fill } = useFillForm(payment.profileId);
  const noCreation = useRefusal({ request: 'payments.create' }) ?? noRepeat;
  const [isErasing, setErasing] = useState(false);
  const { isCopied, copy } = useCopy();
  const lastLookUp = events.findLast(event => event.kind === 'status.observed');
  const address = paymentAddress(payment);
  // An address that Counterfoil itself would refuse is not offered.
  const hasAddress = readPaymentAddress(address) !== null;
  const hasCustomer = Boolean(payment.customer?.name ?? payment.customer?.email ?? payment.customer?.phone);
  const noExport = useRefusal({ request: 'payments.dossier' });
  const noLinks = useRefusal({ request: 'payments.withdrawLink' });
  const noOperations = useRefusal({ request: 'operations.send' });
  const noRecords = useRefusal({ request: 'movements.record' });
  const noErasing = useRefusal({ request: 'log.erase' });
  const repeat = (): void => {
    const { profileId, orderNumber } = payment;
    const { value } = paymentQuery.get({ profileId, orderNumber });
    if (value !== null) fill(paymentContent(value, locale));
  };
  const menu: (Action | false)[] = [
    ...actions
      .filter(({ kind }) => kind !== shown?.kind)
      .map(action => ({
        id: action.kind,
        name: t(`operation.open.${action.kind}`),
        icon: operationIcons[action.kind],
        refusal: action.refusal === null ? noOperations : say(action.refusal),
        act: () => openOperation(payment, firstOf(action)),
      })),
    payment.paymentIds.length > 0 &&
      noRecords === null && { id: 'record', name: t('record.open'), icon: ClipboardPen, act: onRecord },
    {
      id: 'repeat',
      name: t('payment.repeat'),
      icon: Repeat2,
      note: t('payment.repeat.text'),
      refusal: noCreation,
      act: repeat,
    },
    {
      id: 'dossier',
      name: t('dossier.name'),
      icon: FileCheck,
      refusal: noExport,
      isDisabled: busy === 'dossier',
      act: () => void writeDossier(),
    },
    head.tone === 'good' && {
      id: 'confirmation',
      name: t('slip.confirmation.print'),
      icon: Printer,
      note: t('slip.confirmation.text'),
      // The menu closes first: it would be on the paper.
      act: () => void window.setTimeout(onPrintConfirmation, 0),
    },
    hasAddress && {
      id: 'address',
      name: t('address.copy'),
      icon: Link2,
      note: t('address.copy.text'),
      act: () => copy(address),
    },
    onWithdraw !== null &&
      noLinks === null && { id: 'withdraw', name: t('withdraw.name'), icon: Unlink, act: onWithdraw },
    hasCustomer && {
      id: 'erase',
      name: t('erase.name'),
      icon: Eraser,
      refusal: noErasing,
      isDanger: true,
      act: () => setErasing(true),
    },
  ];
  return (
    <>
      {lastLookUp === undefined ? (
        <span className="quiet small">{t('look-up.never')}</span>
      ) : (
        <Checked at={lastLookUp.happenedAt} />
      )}
      <Button
        request="payments.lookUp"
        variant={head.action?.kind === 'look-up' ? 'primary' : 'plain'}
        icon={ScanSearch}
        onPress={() => void lookUp()}
        isPending={busy === 'look-up'}
      >
        {busy === 'look-up' ? t('look-up.asking') : t('look-up.now')}
        {busy === 'look-up' ? null : <SingleKey>U</SingleKey>}
      </Button>
      {offer === 'no' ? null : (
        <Button
          request="payments.create"
          ref={newLinkButton}
          variant={head.action?.kind === 'new-link' ? 'primary' : 'plain'}
          icon={RotateCcw}
          onPress={onCreateNewLink}
          isPending={busy === 'again'}
        >
          {t('link.new')}
          <SingleKey>A</SingleKey>
        </Button>
      )}
      {shown === null || OperationIcon === null ? null : (
        <Button
          request="operations.send"
          variant={twice === null ? 'plain' : 'primary'}
          icon={OperationIcon}
          aria-haspopup="dialog"
          onPress={() =>
            openOperation(
              payment,
              other === null ? back : firstOf(other),
              twice === null ? {} : { reason: 'paid-twice' },
            )
          }
        >
          {t(twice === null ? `operation.open.${shown.kind}` : 'operation.open.refund-one')}
        </Button>
      )}
      <ActionMenu label={t('payment.more')} actions={menu} />
      <EraseQuestion
        isOpen={isErasing}
        text={t('erase.text')}
        series={beginsSeries(payment) ? t('erase.series') : null}
        onErase={() => void erase()}
        onClose={() => setErasing(false)}
      />
      <output className="over-page stack tight">
        {isCopied ? <Note>{t('address.copied')}</Note> : null}
        {dossier ? (
          <Note tone={dossier.proven ? 'info' : 'warning'}>
            <span className="break">
              {t(dossier.proven ? 'dossier.proven' : 'dossier.unproven', { file: dossier.file })}
            </span>
          </Note>
        ) : null}
      </output>
    </>
  );
};
