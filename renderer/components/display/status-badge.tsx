import type { ReactElement } from 'react';
import { toneOf, type Head, type HeadKind } from '../../../shared/reports/head.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { Truncate } from './values.tsx';

/** The usual heads are plain words in a list; the others stand out. */
const usual: ReadonlySet<HeadKind> = new Set([
  'draft',
  'waiting',
  'withdrawn',
  'expired',
  'expired-unchecked',
  'started',
  'bank-check',
  'processing',
  'paid-unconfirmed',
  'paid-confirmed',
  'paid-checked',
  'part-refunded',
  'refunded',
  'voided',
  'reversed',
  'resolved',
]);

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const;
const cut = {
  fill: 'none',
  stroke: 'var(--on-tone)',
  strokeWidth: 1.8,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const octagon = 'M5.1 1.2h5.8l3.9 3.9v5.8l-3.9 3.9H5.1L1.2 10.9V5.1z';
const square = 'M3.6 1.6h8.8a2 2 0 0 1 2 2v8.8a2 2 0 0 1-2 2H3.6a2 2 0 0 1-2-2V3.6a2 2 0 0 1 2-2z';
const backArrow = 'M11.4 8H4.8m2.7-2.9L4.6 8l2.9 2.9';

/** One shape per state, so that they differ by more than colour. */
const stateShapes: Readonly<Record<PaymentState, ReactElement>> = {
  draft: <circle cx="8" cy="8" r="6.4" {...line} strokeDasharray="0.1 3.2" />,
  refused: (
    <>
      <path d={octagon} {...line} strokeLinejoin="round" />
      <path d="M4.8 8h6.4" {...line} />
    </>
  ),
  'outcome-unknown': (
    <>
      <path d="M8 .9 15.1 8 8 15.1.9 8z" {...line} strokeLinejoin="round" />
      <path d="M6.3 6.5a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.8.6-.8 1.1" {...line} strokeWidth={1.5} />
      <circle cx="8" cy="11.3" r="0.9" fill="currentColor" />
    </>
  ),
  waiting: (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <path d="M8 4.4V8l2.4 1.5" {...line} strokeLinejoin="round" />
    </>
  ),
  expired: (
    <>
      <circle cx="8" cy="8" r="6.6" {...line} strokeWidth={1.3} strokeDasharray="2.2 1.9" />
      <path
        d="M5.7 4.6h4.6M5.7 11.4h4.6M6.2 4.6c0 2 3.6 4.8 3.6 6.8M9.8 4.6c0 2-3.6 4.8-3.6 6.8"
        {...line}
        strokeWidth={1.3}
      />
    </>
  ),
  started: (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <path d="M8 8V3.4A4.6 4.6 0 0 1 12.6 8z" fill="currentColor" />
    </>
  ),
  'bank-check': (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <path d="M8 3.2a4.8 4.8 0 0 0 0 9.6z" fill="currentColor" />
      <path d="M9.7 6.3c.7 0 1.3-.2 1.7-.5.1 2.4-.3 3.7-1.7 4.5" {...line} strokeWidth={1.1} />
    </>
  ),
  processing: (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <circle cx="4.9" cy="8" r="1" fill="currentColor" />
      <circle cx="8" cy="8" r="1" fill="currentColor" />
      <circle cx="11.1" cy="8" r="1" fill="currentColor" />
    </>
  ),
  'paid-unconfirmed': (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <circle cx="8" cy="8" r="3" fill="currentColor" />
    </>
  ),
  'paid-confirmed': (
    <>
      <circle cx="8" cy="8" r="7.2" fill="currentColor" />
      <path d="m4.7 8.2 2.3 2.3 4.3-4.6" {...cut} />
    </>
  ),
  declined: (
    <>
      <path d={octagon} fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
      <path d="m5.5 5.5 5 5m0-5-5 5" {...cut} />
    </>
  ),
  'refund-seen': (
    <>
      <path d={square} {...line} />
      <path d="M6.3 6.3a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.8.6-.8 1.1" {...line} strokeWidth={1.5} />
      <circle cx="8" cy="11.2" r="0.9" fill="currentColor" />
    </>
  ),
  'part-refunded': (
    <>
      <path d={square} {...line} />
      <path d={backArrow} {...line} strokeLinejoin="round" />
    </>
  ),
  refunded: (
    <>
      <path d={square} fill="currentColor" />
      <path d={backArrow} {...cut} />
    </>
  ),
  voided: (
    <>
      <path d={square} {...line} strokeDasharray="2.6 2" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" {...line} />
    </>
  ),
  reversed: (
    <>
      <path d={square} {...line} strokeDasharray="2.6 2" />
      <path d={backArrow} {...line} strokeLinejoin="round" />
    </>
  ),
  chargeback: (
    <>
      <path d="M3.4 15V1.4" {...line} strokeWidth={1.8} />
      <path d="M3.4 2h9.4l-2.4 3.3 2.4 3.3H3.4z" fill="currentColor" stroke="currentColor" />
    </>
  ),
  'needs-attention': (
    <>
      <path d="M8 .6 15.4 8 8 15.4.6 8z" fill="currentColor" />
      <path d="M8 4.6v4" {...cut} />
      <circle cx="8" cy="11.3" r="1.1" fill="var(--on-tone)" />
    </>
  ),
};

/** The other heads: the diamond of what needs attention, or the state that is nearest. */
const shapes: Readonly<Record<HeadKind, ReactElement>> = {
  ...stateShapes,
  withdrawn: stateShapes.voided,
  'expired-unchecked': stateShapes.expired,
  'other-amount': stateShapes['needs-attention'],
  'paid-checked': stateShapes['paid-confirmed'],
  'paid-twice': (
    <>
      <circle cx="5.6" cy="8" r="4.8" {...line} />
      <circle cx="10.4" cy="8" r="4.8" {...line} />
    </>
  ),
  'returned-twice': stateShapes['needs-attention'],
  'details-differ': stateShapes['needs-attention'],
  'paid-withdrawn': stateShapes['needs-attention'],
  'refund-unclear': stateShapes['refund-seen'],
  'money-open': stateShapes['part-refunded'],
  'money-overdue': stateShapes['outcome-unknown'],
  'money-unknown': stateShapes['outcome-unknown'],
  resolved: <path d="m1.6 8.6 3 3 5.4-6.6M7.4 11l.6.6 6-7" {...line} strokeLinejoin="round" />,
};

/** What a payment shows first, by shape, text and colour together. `size` in pixels. */
export const StatusBadge = ({
  state,
  size = 16,
  wordless = false,
  inList = false,
}: {
  /** The head of a payment, or a state alone. */
  state: Pick<Head, 'kind' | 'label'> | PaymentState;
  size?: number;
  /** The text is next to it already. */
  wordless?: boolean;
  /** In a list the usual ones are plain words and the exceptions stand out. */
  inList?: boolean;
}) => {
  const t = useText();
  const say = useMessage();
  const kind = typeof state === 'string' ? state : state.kind;
  return (
    <span
      className={`status tone-${toneOf(kind)} ${inList ? (usual.has(kind) ? 'usual' : 'exception') : ''}`}
      data-state={kind}
    >
      <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
        {shapes[kind]}
      </svg>
      {wordless ? null : (
        <Truncate text={typeof state === 'string' ? t(`state.${state}`) : say(state.label)} />
      )}
    </span>
  );
};
