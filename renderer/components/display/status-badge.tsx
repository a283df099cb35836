import { createElement, Fragment, type ReactElement, type SVGProps } from 'react';
import { toneOf, type Head, type HeadKind, headOf, type HeadFacts } from '../../../shared/reports/head.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { Truncate } from './values.tsx';
import { useClock } from '../../stores/clock-store.ts';

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
const joined = { strokeLinejoin: 'round' } as const;
const shape = (...parts: readonly ReactElement[]): ReactElement => createElement(Fragment, null, ...parts);
const stroked = (d: string, more: SVGProps<SVGPathElement> = joined) => <path d={d} {...line} {...more} />;
const filled = (d: string, more: SVGProps<SVGPathElement> = {}) => (
  <path d={d} fill="currentColor" {...more} />
);
const cut = (d: string) => stroked(d, { ...joined, stroke: 'var(--on-tone)', strokeWidth: 1.8 });
const dot = (cx: number, r: number, cy = 8) => <circle cx={cx} cy={cy} r={r} fill="currentColor" />;
const circle = (r: number, more: SVGProps<SVGCircleElement> = {}) => (
  <circle cx="8" cy="8" r={r} {...line} {...more} />
);
const ring = circle(6.4);
const dashed = { strokeDasharray: '2.6 2' };
const octagon = 'M5.1 1.2h5.8l3.9 3.9v5.8l-3.9 3.9H5.1L1.2 10.9V5.1z';
const square = 'M3.6 1.6h8.8a2 2 0 0 1 2 2v8.8a2 2 0 0 1-2 2H3.6a2 2 0 0 1-2-2V3.6a2 2 0 0 1 2-2z';
const backArrow = 'M11.4 8H4.8m2.7-2.9L4.6 8l2.9 2.9';
const hook = stroked('M6.3 6.5a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.8.6-.8 1.1', { strokeWidth: 1.5 });
const glass = 'M5.7 4.6h4.6M5.7 11.4h4.6M6.2 4.6c0 2 3.6 4.8 3.6 6.8M9.8 4.6c0 2-3.6 4.8-3.6 6.8';
const half = 'M9.7 6.3c.7 0 1.3-.2 1.7-.5.1 2.4-.3 3.7-1.7 4.5';

/** One shape per state, so that they differ by more than colour. */
const stateShapes: Readonly<Record<PaymentState, ReactElement>> = {
  draft: circle(6.4, { strokeDasharray: '0.1 3.2' }),
  refused: shape(stroked(octagon), stroked('M4.8 8h6.4', {})),
  'outcome-unknown': shape(stroked('M8 .9 15.1 8 8 15.1.9 8z'), hook, dot(8, 0.9, 11.3)),
  waiting: shape(ring, stroked('M8 4.4V8l2.4 1.5')),
  expired: shape(
    circle(6.6, { strokeWidth: 1.3, strokeDasharray: '2.2 1.9' }),
    stroked(glass, { strokeWidth: 1.3 }),
  ),
  started: shape(ring, filled('M8 8V3.4A4.6 4.6 0 0 1 12.6 8z')),
  'bank-check': shape(ring, filled('M8 3.2a4.8 4.8 0 0 0 0 9.6z'), stroked(half, { strokeWidth: 1.1 })),
  processing: shape(ring, dot(4.9, 1), dot(8, 1), dot(11.1, 1)),
  'paid-unconfirmed': shape(ring, dot(8, 3)),
  'paid-confirmed': shape(dot(8, 7.2), cut('m4.7 8.2 2.3 2.3 4.3-4.6')),
  declined: shape(filled(octagon, { ...joined, stroke: 'currentColor' }), cut('m5.5 5.5 5 5m0-5-5 5')),
  'refund-seen': shape(stroked(square, {}), hook, dot(8, 0.9, 11.2)),
  'part-refunded': shape(stroked(square, {}), stroked(backArrow)),
  refunded: shape(filled(square), cut(backArrow)),
  voided: shape(stroked(square, dashed), stroked('m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8', {})),
  reversed: shape(stroked(square, dashed), stroked(backArrow)),
  chargeback: shape(
    stroked('M3.4 15V1.4', { strokeWidth: 1.8 }),
    filled('M3.4 2h9.4l-2.4 3.3 2.4 3.3H3.4z', { stroke: 'currentColor' }),
  ),
  'needs-attention': shape(
    filled('M8 .6 15.4 8 8 15.4.6 8z'),
    cut('M8 4.6v4'),
    <circle cx="8" cy="11.3" r="1.1" fill="var(--on-tone)" />,
  ),
};

/** The other heads: the diamond of what needs attention, or the state that is nearest. */
const shapes: Readonly<Record<HeadKind, ReactElement>> = {
  ...stateShapes,
  withdrawn: stateShapes.voided,
  'expired-unchecked': stateShapes.expired,
  'other-amount': stateShapes['needs-attention'],
  'paid-checked': stateShapes['paid-confirmed'],
  'paid-twice': shape(circle(4.8, { cx: 5.6 }), circle(4.8, { cx: 10.4 })),
  'returned-twice': stateShapes['needs-attention'],
  'details-differ': stateShapes['needs-attention'],
  'paid-withdrawn': stateShapes['needs-attention'],
  'refund-unclear': stateShapes['refund-seen'],
  'money-open': stateShapes['part-refunded'],
  'money-overdue': stateShapes['outcome-unknown'],
  'money-unknown': stateShapes['outcome-unknown'],
  resolved: stroked('m1.6 8.6 3 3 5.4-6.6M7.4 11l.6.6 6-7'),
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

/** The head of a payment now; it changes when its link expires. */
export const useHead = (payment: HeadFacts): Head => {
  const { expiresAt } = payment;
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const isOver = useClock(({ wallClock }) => expiresAt !== null && wallClock >= expiresAt);
  return headOf(payment, isOver ? Math.max(minute, expiresAt ?? 0) : minute);
};
