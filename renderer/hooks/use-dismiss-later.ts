import { useEffect, useEffectEvent, useRef } from 'react';

/** Display time of a message over the screens, milliseconds. */
export const messageMs = 12_000;

/**
 * Ends a message after `shownMs`, or later while it is hovered or has the focus; never unless `isOn`. Returns the ref of
 * the message.
 */
export const useDismissLater = <Frame extends HTMLElement>(
  dismiss: () => void,
  shownMs: number,
  isOn = true,
) => {
  const frame = useRef<Frame>(null);
  const end = useEffectEvent(dismiss);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = window.setInterval(() => {
      if (frame.current?.matches(':hover, :focus-within') !== true) end();
    }, shownMs);
    return () => window.clearInterval(timer);
  }, [isOn, shownMs]);
  return frame;
};
