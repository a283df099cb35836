import { useState, type Ref } from 'react';
import {
  Ban,
  ClipboardPen,
  Ellipsis,
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

import { Button as MenuButton, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { Event } from '../../../shared/payments/evidence.ts';
import { paymentAddress, readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import type { OfferedKind } from '../../../shared/operations/operation-kinds.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { Note } from '../../components/display/note.tsx';
import { Checked } from '../../components/display/time.tsx';
import { paymentQuery, usePayment } from '../../queries/payment.ts';
import { useLocaleChoice, useMessage, useText } from '../../i18n/text.ts';
import { useHead } from '../../hooks/use-head.ts';
import { useRefusal } from '../../use-rights.ts';
import { paymentContent } from '../../stores/new-payment/fill-form.ts';
import { useFillForm } from '../../stores/new-payment/use-fill-form.ts';
import { useOperation } from '../../stores/payments/operation-store.ts';
import { EraseMenuItem } from './erase-menu-item.tsx';
import { EraseQuestion } from './erase-question.tsx';
import { moneyBack, type OfferedAction } from './operations/offered-actions.ts';
import { beginsSeries } from './series/series-rows.ts';

const operationIcons = { refund: Undo2, void: Ban, capture: HandCoins, retry: RotateCcw } as const;

const openOperation = (
  { profileId, orderNumber }: Payment,
  target: { kind: OfferedKind; paymentId: string } | null,
): void => {
  if (target !== null) void useOperation.getState().openForm({ profileId, orderNumber, ...target });
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
  const [isCopied, setCopied] = useState(false);
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
  const copyAddress = (): void => {
    void navigator.clipboard.writeText(address).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
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
        icon={<ScanSearch size={16} />}
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
          icon={<RotateCcw size={16} />}
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
          icon={<OperationIcon size={16} />}
          aria-haspopup="dialog"
          onPress={() => openOperation(payment, other === null ? back : firstOf(other))}
        >
          {t(twice === null ? `operation.open.${shown.kind}` : 'operation.open.refund-one')}
        </Button>
      )}
      <MenuTrigger>
        <MenuButton className="button plain icon-only" aria-label={t('payment.more')}>
          <Ellipsis size={16} aria-hidden="true" />
        </MenuButton>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label={t('payment.more')}>
            {actions
              .filter(({ kind }) => kind !== shown?.kind)
              .map(action => {
                const Icon = operationIcons[action.kind];
                const refusal = action.refusal === null ? noOperations : say(action.refusal);
                return (
                  <MenuItem
                    key={action.kind}
                    id={action.kind}
                    className="menu-item"
                    textValue={t(`operation.open.${action.kind}`)}
                    isDisabled={refusal !== null}
                    onAction={() => openOperation(payment, firstOf(action))}
                  >
                    <Icon size={16} aria-hidden="true" />
                    <span>
                      {t(`operation.open.${action.kind}`)}
                      {refusal === null ? null : <span className="menu-note">{refusal}</span>}
                    </span>
                  </MenuItem>
                );
              })}
            {payment.paymentIds.length === 0 || noRecords !== null ? null : (
              <MenuItem id="record" className="menu-item" textValue={t('record.open')} onAction={onRecord}>
                <ClipboardPen size={16} aria-hidden="true" />
                {t('record.open')}
              </MenuItem>
            )}
            <MenuItem
              id="repeat"
              className="menu-item"
              textValue={t('payment.repeat')}
              isDisabled={noCreation !== null}
              onAction={() => {
                const { value } = paymentQuery.get({
                  profileId: payment.profileId,
                  orderNumber: payment.orderNumber,
                });
                if (value !== null) fill(paymentContent(value, locale));
              }}
            >
              <Repeat2 size={16} aria-hidden="true" />
              <span>
                {t('payment.repeat')}
                <span className="menu-note">{noCreation ?? t('payment.repeat.text')}</span>
              </span>
            </MenuItem>
            <MenuItem
              id="dossier"
              textValue={t('dossier.name')}
              className="menu-item"
              isDisabled={busy === 'dossier' || noExport !== null}
              onAction={() => void writeDossier()}
            >
              <FileCheck size={16} aria-hidden="true" />
              <span>
                {t('dossier.name')}
                {noExport === null ? null : <span className="menu-note">{noExport}</span>}
              </span>
            </MenuItem>
            {head.tone === 'good' ? (
              <MenuItem
                id="confirmation"
                className="menu-item"
                textValue={t('slip.confirmation.print')}
                // The menu closes first: it would be on the paper.
                onAction={() => window.setTimeout(onPrintConfirmation, 0)}
              >
                <Printer size={16} aria-hidden="true" />
                <span>
                  {t('slip.confirmation.print')}
                  <span className="menu-note">{t('slip.confirmation.text')}</span>
                </span>
              </MenuItem>
            ) : null}
            {hasAddress ? (
              <MenuItem
                id="address"
                className="menu-item"
                onAction={copyAddress}
                textValue={t('address.copy')}
              >
                <Link2 size={16} aria-hidden="true" />
                <span>
                  {t('address.copy')}
                  <span className="menu-note">{t('address.copy.text')}</span>
                </span>
              </MenuItem>
            ) : null}
            {onWithdraw === null || noLinks !== null ? null : (
              <MenuItem
                id="withdraw"
                className="menu-item"
                onAction={onWithdraw}
                textValue={t('withdraw.name')}
              >
                <Unlink size={16} aria-hidden="true" />
                {t('withdraw.name')}
              </MenuItem>
            )}
            {hasCustomer ? (
              <>
                <Separator className="separator" />
                <EraseMenuItem refusal={noErasing} onErase={() => setErasing(true)} />
              </>
            ) : null}
          </Menu>
        </Popover>
      </MenuTrigger>
      <EraseQuestion
        isOpen={isErasing}
        text={t('erase.text')}
        series={beginsSeries(payment) ? t('erase.series') : null}
        onErase={() => void erase()}
        onClose={() => setErasing(false)}
      />
      {isCopied ? <output className="small quiet">{t('address.copied')}</output> : null}
      {dossier ? (
        <output className="dossier-done">
          <Note tone={dossier.proven ? 'info' : 'warning'}>
            <span className="break">
              {t(dossier.proven ? 'dossier.proven' : 'dossier.unproven', { file: dossier.file })}
            </span>
          </Note>
        </output>
      ) : null}
    </>
  );
};
