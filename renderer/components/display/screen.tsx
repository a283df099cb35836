import { useEffect, useRef, type ReactNode } from 'react';
import { plainText } from '../../../shared/plain-text.ts';
import { isTyping } from '../../shortcuts.ts';
import { useText } from '../../i18n/text.ts';

/**
 * The frame of a screen: its name, what can be done with all of it, and the rest.
 * Coming here moves the focus to the name, unless something in the screen takes it, or somebody is typing elsewhere.
 */
export const Screen = ({
  title,
  label,
  lead,
  actions,
  children,
  className,
}: {
  title: ReactNode;
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
    // Enlarged, the screen's name stands below the rail; everywhere else it is in sight already.
    const preventScroll = !window.matchMedia('(width <= 30rem)').matches;
    const { activeElement } = document;
    if (frame.current?.contains(activeElement) || isTyping(activeElement)) return;
    heading.current?.focus({ preventScroll });
  }, [label, t]);
  return (
    <div className={`screen ${className ?? ''}`} ref={frame}>
      <header className="screen-head">
        <div className="screen-name">
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
