import { useEffect, useRef, type ReactNode } from 'react';
import { plainText } from '../../../shared/plain-text.ts';
import { isTyping } from '../../shortcuts.ts';
import { useText } from '../../i18n/text.ts';
import { whenReopened, useRoute, type ListRoute } from '../../stores/route-store.ts';
import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { hrefOf } from '../../routes.ts';

const names: Readonly<Record<ListRoute['screen'], MessageKey>> = {
  payments: 'nav.payments',
  reconciliation: 'nav.reconciliation',
  overview: 'nav.overview',
  'month-end': 'month-end.report',
  callbacks: 'nav.callbacks',
  'look-up': 'nav.look-up',
  'bulk-look-up': 'look-up.now',
  'handover-note': 'nav.handover-note',
};

/** The way back from a payment or a customer. Esc does the same. */
export const Crumb = () => {
  const t = useText();
  const from = useRoute(state => state.from);
  return (
    <Link className="crumb" href={hrefOf(from)}>
      <ChevronLeft size={14} aria-hidden="true" />
      {t(names[from.screen])}
    </Link>
  );
};

/**
 * The frame of a screen: its name, its actions, and its content. On arrival the focus moves to the name, unless an
 * element of the screen takes it or the user is typing elsewhere.
 */
export const Screen = ({
  title,
  label,
  before,
  lead,
  actions,
  children,
  className,
}: {
  title: ReactNode;
  /** In front of the name: the way back. */
  before?: ReactNode;
  /** The window's title; never a payment link. */
  label: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) => {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = `${plainText(label)} – ${t('app.name')}`;
    // With enlarged text the screen's name is below the rail; otherwise it is visible already.
    const preventScroll = !window.matchMedia('(width <= 30rem)').matches;
    const arrive = (): void => {
      const { activeElement } = document;
      if (frame.current?.contains(activeElement) || isTyping(activeElement)) return;
      heading.current?.focus({ preventScroll });
    };
    arrive();
    return whenReopened(arrive);
  }, [label, t]);
  return (
    <div className={`screen ${className ?? ''}`} ref={frame}>
      <header className="screen-head line gap-4 spread">
        {before}
        <div className="screen-name min-0">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead === undefined ? null : <div className="muted small">{lead}</div>}
        </div>
        {actions === undefined ? null : <div className="line wrap screen-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
};
