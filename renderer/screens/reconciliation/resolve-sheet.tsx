import { useEffect, useEffectEvent, useState } from 'react';
import { reconcile, type ReconciliationCause } from '../../../shared/reports/reconcile.ts';
import {
  maxResolutionText,
  resolutionReasons,
  type ResolutionReason,
} from '../../../shared/review/review.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { RadioChoice, TextBox } from '../../components/controls/fields.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { ListBox, ListBoxItem } from 'react-aria-components';

type Choice = { id: string; name: string; detail?: string };

/** A choice that acts at once: to whom, or until when. */
export const ChoiceSheet = ({
  title,
  choices,
  isOpen,
  onChoose,
  onClose,
}: {
  title: string;
  choices: readonly Choice[];
  isOpen: boolean;
  onChoose: (id: string) => void;
  onClose: () => void;
}) => (
  <Sheet title={title} isOpen={isOpen} onClose={onClose}>
    {/* The dialog is opened to choose. */}
    {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
    <ListBox className="options" aria-label={title} autoFocus="first" onAction={key => onChoose(String(key))}>
      {choices.map(({ id, name, detail }) => (
        <ListBoxItem key={id} id={id} textValue={name} className="option hovers">
          <span className="row gap-2 at-baseline">
            {name}
            {detail === undefined ? null : <span className="option-detail quiet tiny">{detail}</span>}
          </span>
        </ListBoxItem>
      ))}
    </ListBox>
  </Sheet>
);

/** Reasons that are selected already: only for causes that need no action. Any other one is a person's decision. */
const usualReasons: Partial<Record<ReconciliationCause, ResolutionReason>> = {
  'expired-without-outcome': 'not-wanted',
  'refund-seen': 'passed-on',
};

/** Reasons that fit every cause and say nothing about the money. */
const reasonsOfAll: readonly ResolutionReason[] = ['nothing-to-do', 'other'];

/** How many causes these payments have. `now`: milliseconds. */
const causesOf = (rows: readonly PaymentRow[], now: number): number =>
  new Set(rows.map(row => reconcile(row, now)[0]?.cause)).size;

/** The reasons that can be given for these payments together. */
export const reasonsFor = (rows: readonly PaymentRow[], now: number): readonly ResolutionReason[] =>
  causesOf(rows, now) > 1 ? reasonsOfAll : resolutionReasons;

const usualReason = (rows: readonly PaymentRow[]): ResolutionReason | null => {
  const now = currentTime();
  const reasons = new Set(
    rows.map(row => {
      const cause = reconcile(row, now)[0]?.cause;
      return (cause && usualReasons[cause]) ?? null;
    }),
  );
  const [only] = reasons;
  return reasons.size === 1 ? (only ?? null) : null;
};

const Content = ({
  rows,
  onResolve,
  onClose,
}: {
  rows: readonly PaymentRow[];
  onResolve: (reason: ResolutionReason, text: string) => void;
  onClose: () => void;
}) => {
  const t = useText();
  const [reason, setReason] = useState(() => usualReason(rows));
  const [text, setText] = useState('');
  const [wasSent, setSent] = useState(false);
  const [opened] = useState(currentTime);
  const causes = causesOf(rows, opened);
  const needsText = reason === 'other' && text.trim() === '';
  const submit = (): void => {
    setSent(true);
    if (reason !== null && !needsText) onResolve(reason, text.trim());
  };
  // A browser submits a form by Enter from a radio button only if one is selected.
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    if (event.target.type !== 'radio') return;
    event.preventDefault();
    event.stopPropagation();
    submit();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onEnter(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <Form onSubmit={submit}>
      <RadioChoice
        className="review-reasons stack gap-0"
        optionClass="review-reason pointer hovers line rounded-s"
        label={t('review.reason')}
        lead={causes > 1 ? <p className="small muted">{t('review.mixed', { count: causes })}</p> : null}
        options={reasonsFor(rows, opened).map((id, index) => ({
          id,
          name: t(`resolution.${id}`),
          // The dialog is opened to choose a reason.
          autoFocus: reason === null ? index === 0 : id === reason,
        }))}
        value={reason}
        onChange={setReason}
        isInvalid={wasSent && reason === null}
      >
        {wasSent && reason === null ? (
          <p className="problem" role="alert">
            {t('review.reason.missing')}
          </p>
        ) : null}
      </RadioChoice>
      <TextBox
        label={t('review.reason.text')}
        value={text}
        onChange={setText}
        maxLength={maxResolutionText}
        problem={wasSent && needsText ? t('review.reason.text-missing') : null}
      />
      <p className="small muted">{t('review.comes-back')}</p>
      <FormFoot name={t('review.resolve')} keys="Enter">
        <Button onPress={onClose}>{t('cancel')}</Button>
      </FormFoot>
    </Form>
  );
};

/** Asks why payments are resolved. Null rows: closed. */
export const ResolveSheet = ({
  rows,
  title,
  onResolve,
  onClose,
}: {
  rows: readonly PaymentRow[] | null;
  title: string;
  onResolve: (reason: ResolutionReason, text: string) => void;
  onClose: () => void;
}) => (
  <Sheet title={title} isOpen={rows !== null} onClose={onClose}>
    {rows === null ? null : <Content rows={rows} onResolve={onResolve} onClose={onClose} />}
  </Sheet>
);
