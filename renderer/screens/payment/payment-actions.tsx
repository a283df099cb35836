import { useState, type Ref } from 'react';
import { Ellipsis, Eraser, FileCheck, Link2, Printer, RotateCcw, ScanSearch, Unlink } from 'lucide-react';
import { Button as MenuButton, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import type { Event } from '../../../shared/payments/evidence.ts';
import { paymentAddress, readPaymentAddress } from '../../../shared/payments/payment-address.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { Note } from '../../components/display/note.tsx';
import { Checked } from '../../components/display/time.tsx';
import { usePayment } from '../../stores/payments/payment-store.ts';
import { useText } from '../../i18n/text.ts';
import { useRefusal } from '../../rights.ts';
import { EraseQuestion } from './erase-question.tsx';

/** States in which a check of the status is the next thing to do. */
const needsCheck: readonly PaymentState[] = [
  'outcome-unknown',
  'needs-attention',
  'paid-unconfirmed',
  'refund-seen',
];
/** States in which a new link is the next thing to do. */
const needsLink: readonly PaymentState[] = ['expired', 'refused'];

/** The actions of a payment: at most two in view, the others in a menu, the destructive one last. */
export const PaymentActions = ({
  payment,
  events,
  state,
  offer,
  onCreateNewLink,
  newLinkButton,
  onWithdraw,
  onPrintConfirmation,
}: {
  payment: Payment;
  events: readonly Event[];
  state: PaymentState;
  offer: 'no' | 'ask' | 'yes';
  onCreateNewLink: () => void;
  newLinkButton: Ref<HTMLButtonElement>;
  /** Null if there is no link to withdraw. */
  onWithdraw: (() => void) | null;
  onPrintConfirmation: () => void;
}) => {
  const t = useText();
  const { busy, lookUp, writeDossier, dossier } = usePayment();
  const [isErasing, setErasing] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const lastLookUp = events.findLast(event => event.kind === 'status.observed');
  const address = paymentAddress(payment);
  // An address that Counterfoil itself would refuse is not offered.
  const hasAddress = readPaymentAddress(address) !== null;
  const hasCustomer = Boolean(payment.customer?.name ?? payment.customer?.email);
  const noExport = useRefusal('export');
  const noLinks = useRefusal('links');
  const noErasing = useRefusal('erase');
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
        right="look-up"
        variant={needsCheck.includes(state) ? 'primary' : 'plain'}
        icon={<ScanSearch size={16} />}
        onPress={() => void lookUp()}
        isPending={busy === 'look-up'}
      >
        {busy === 'look-up' ? t('look-up.asking') : t('look-up.now')}
        {busy === 'look-up' ? null : <SingleKey>U</SingleKey>}
      </Button>
      {offer === 'no' ? null : (
        <Button
          right="links"
          ref={newLinkButton}
          variant={needsLink.includes(state) ? 'primary' : 'plain'}
          icon={<RotateCcw size={16} />}
          onPress={onCreateNewLink}
          isPending={busy === 'again'}
        >
          {t('link.new')}
          <SingleKey>A</SingleKey>
        </Button>
      )}
      <MenuTrigger>
        <MenuButton className="button plain icon-only" aria-label={t('payment.more')}>
          <Ellipsis size={16} aria-hidden="true" />
        </MenuButton>
        <Popover className="popover menu-popover" placement="bottom end">
          <Menu className="menu" aria-label={t('payment.more')}>
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
            {state === 'paid-confirmed' ? (
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
                <MenuItem
                  id="erase"
                  className="menu-item danger"
                  textValue={t('erase.name')}
                  isDisabled={noErasing !== null}
                  onAction={() => setErasing(true)}
                >
                  <Eraser size={16} aria-hidden="true" />
                  <span>
                    {t('erase.name')}
                    {noErasing === null ? null : <span className="menu-note">{noErasing}</span>}
                  </span>
                </MenuItem>
              </>
            ) : null}
          </Menu>
        </Popover>
      </MenuTrigger>
      <EraseQuestion isOpen={isErasing} onClose={() => setErasing(false)} />
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
